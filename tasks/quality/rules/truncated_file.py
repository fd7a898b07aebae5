"""DOC004 truncated-file: a file whose end is missing.

What: the format says that more should follow.
Why it hurts retrieval: what is lost cannot be found, and what remains may end within a statement.
Example: a download that was interrupted.
Cure: copy or download it again.
"""

from __future__ import annotations

from tasks import faults
from tasks.quality.contract import reported

member = reported(faults.TRUNCATED_FILE, __doc__)
