"""DOC010 killed-parser: a file that ended the process that read it.

What: the parser crashed; other files were read on by another process.
Why it hurts retrieval: nothing of the file, or of the page, can be found.
Example: a PDF made to break readers.
Cure: save it again from its program.
"""

from __future__ import annotations

from tasks import faults
from tasks.quality.contract import reported

member = reported(faults.KILLED_PARSER, __doc__)
