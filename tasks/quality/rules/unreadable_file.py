"""DOC001 unreadable-file: a file that no parser can read.

What: it is of no format that is read here, it is damaged, or its parser failed on it.
Why it hurts retrieval: nothing of it can be found, and nobody who asks learns that it exists.
Example: a PNG picture, or a PDF whose cross-reference table is broken.
Cure: save it as PDF, DOCX, Markdown or plain text, or download it again.
"""

from __future__ import annotations

from tasks import faults
from tasks.quality.contract import reported

member = reported(faults.UNREADABLE_FILE, __doc__)
