"""DOC013 read-by-ocr: a page without a text layer, whose picture was read.

What: the words were recognised by a model.
Why it hurts retrieval: misread names and figures do not match what is asked for.
Example: `l,234` for 1,234.
Cure: compare figures with the page before quoting them; use a file with a text layer if there is one.
"""

from __future__ import annotations

from tasks import faults
from tasks.quality.contract import reported

member = reported(faults.READ_BY_OCR, __doc__)
