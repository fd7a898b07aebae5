"""DOC009 page-without-text: a page, or a whole file, that is a picture.

What: there is no text layer and nothing is installed that reads pictures.
Why it hurts retrieval: what the page says cannot be found.
Example: a scanned contract.
Cure: pip install 'kalends[ocr]', or save the file with a text layer.
"""

from __future__ import annotations

from tasks import faults
from tasks.quality.contract import reported

member = reported(faults.PAGE_WITHOUT_TEXT, __doc__)
