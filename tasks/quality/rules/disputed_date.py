"""DOC015 disputed-date: a date that other evidence contradicts.

What: the date taken for the document and another trustworthy one lie more than two years apart.
Why it hurts retrieval: questions about a period pass the document by, or find it among those of another time.
Example: a report named 2021 whose properties say 2024.
Cure: put the right date into the front matter, the properties or the name.
"""

from __future__ import annotations

from tasks import faults
from tasks.quality.contract import reported

member = reported(faults.DISPUTED_DATE, __doc__)
