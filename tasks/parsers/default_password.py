"""Office files encrypted with the password that Office itself knows, as workbooks whose structure alone is protected.

Office opens them without asking ([MS-OFFCRYPTO] 2.1.4), so their readers do not know that they are encrypted.
"""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

from tasks.parsers.compound_file import COMPOUND
from tasks.parsers.parser_contract import Raw

_PASSWORD = "VelvetSweatshop"  # noqa: S105  It is in the specification.


def decrypted(raw: Raw) -> Raw | None:
    """The file without its encryption; None where that has another password, or is damaged."""
    if not raw.data.startswith(COMPOUND):
        return None
    from msoffcrypto import OfficeFile
    from msoffcrypto.format.ooxml import OOXMLFile

    plain = BytesIO()
    try:
        file = OfficeFile(BytesIO(raw.data))
        if isinstance(file, OOXMLFile):
            file.load_key(_PASSWORD, verify_password=True)
        else:
            file.load_key(_PASSWORD)
        file.decrypt(plain)
    except Exception:
        return None
    return replace(raw, data=plain.getvalue())
