"""DOC003 encrypted-file: a file that opens only with a password.

What: a PDF or DOCX file that is encrypted.
Why it hurts retrieval: nothing of it can be read, so nothing of it can be found.
Example: a bank statement that asks for a birthday.
Cure: save a copy without a password.
"""

from __future__ import annotations

from tasks import faults
from tasks.quality.contract import reported

member = reported(faults.ENCRYPTED_FILE, __doc__)
