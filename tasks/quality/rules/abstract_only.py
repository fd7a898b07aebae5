"""DOC007 abstract-only: a paper without its full text.

What: the publisher gives the abstract alone, or not even that.
Why it hurts retrieval: questions about methods and results find a summary that does not answer them.
Example: a JATS file whose body is missing.
Cure: get the full text.
"""

from __future__ import annotations

from tasks import faults
from tasks.quality.contract import reported

member = reported(faults.ABSTRACT_ONLY, __doc__)
