"""DOC006 too-large-file: a file that needs more memory than the limit.

What: it is larger than parse.max_file_megabytes, or reading it took more than parse.megabytes.
Why it hurts retrieval: nothing of it can be found.
Example: a 900 MB scan.
Cure: raise the limit, or split the file.
"""

from __future__ import annotations

from tasks import faults
from tasks.quality.contract import reported

member = reported(faults.TOO_LARGE_FILE, __doc__)
