"""DOC022 failed-stage: a document on which a stage of Kalends failed.

What: an error of the program, or a document that needs more memory or time than there is; other documents go on.
Why it hurts retrieval: the last good version answers, or nothing of the document can be found.
Example: a table that no rule of the program expected.
Cure: report it with the line that names stage and error; `KALENDS_DEBUG=1` shows where. A new version of Kalends tries
the document again, and so does the next run after the file was touched.
"""

from __future__ import annotations

from tasks import faults
from tasks.quality.contract import reported

member = reported(faults.FAILED_STAGE, __doc__)
