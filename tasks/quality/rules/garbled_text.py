"""DOC014 garbled-text: a page whose fonts do not say which characters they show.

What: many glyphs map to no character (ISO 32000-1, 9.10.2).
Why it hurts retrieval: the words on the page are not the words in the index.
Example: `(cid:12)(cid:45)(cid:9)`
Cure: save the file again with embedded Unicode maps, or print it to a picture and read that.
"""

from __future__ import annotations

from tasks import faults
from tasks.quality.contract import reported

member = reported(faults.GARBLED_TEXT, __doc__)
