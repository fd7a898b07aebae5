"""DOC012 lost-page: a page that could not be read, in a file that could.

What: the page is damaged, too slow or too large.
Why it hurts retrieval: what stands on it cannot be found, and the text around it seems to go on.
Example: page 7 of 12 with a broken content stream.
Cure: save the file again from its program.
"""

from __future__ import annotations

from tasks import faults
from tasks.quality.contract import reported

member = reported(faults.LOST_PAGE, __doc__)
