"""DOC005 too-slow-file: a file, or a page, that took longer than the limit.

What: reading was stopped after parse.seconds, or parse.page_seconds for a page.
Why it hurts retrieval: nothing of the file, or of the page, can be found.
Example: a page that holds a map of a hundred thousand lines.
Cure: raise the limit, or split the file.
"""

from __future__ import annotations

from tasks import faults
from tasks.quality.contract import reported

member = reported(faults.TOO_SLOW_FILE, __doc__)
