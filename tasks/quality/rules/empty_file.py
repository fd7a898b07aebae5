"""DOC002 empty-file: a file without content.

What: no bytes, nothing but white space, or a format in which no text is left.
Why it hurts retrieval: it stands in the list of documents and can answer nothing.
Example: a note that was created and never written.
Cure: write something into it, or remove it.
"""

from __future__ import annotations

from tasks import faults
from tasks.quality.contract import reported

member = reported(faults.EMPTY_FILE, __doc__)
