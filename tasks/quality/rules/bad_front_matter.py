"""DOC008 bad-front-matter: the front matter of a note is no valid YAML.

What: the lines between the `---` at the head of the note cannot be read as properties.
Why it hurts retrieval: the note's date, tags and aliases are lost, so filters pass it by; the lines are kept as text.
Example: `title: Budget: draft` without quotes around the value.
Cure: quote values that hold a colon, and indent with spaces; `kalends check --fix` mends the common cases.
"""

from __future__ import annotations

from tasks import faults
from tasks.quality.contract import reported

member = reported(faults.BAD_FRONT_MATTER, __doc__)
