"""A folder of the library as one line."""

from __future__ import annotations

from pathlib import Path

from dashboards.drawing.escaping import plain
from dashboards.drawing.runs.progress import counted
from warehouse.records import Root


def folder_html(root: Root, documents: int, *, inbox: bool) -> str:
    """Its name, how many documents it has, and where it lies, unless it is the warehouse's own `inbox`."""
    where = "handed over in the dashboard" if inbox else str(root.folder)
    some = f", only {len(root.only):,} of its files" if root.only is not None else ""
    count = counted(documents, "document")
    return (
        f'<p class="k-folder"><strong>{plain(root.name)}</strong> <small>{count}{some}</small><br>'
        f"<small>{plain(where)}</small></p>"
    )


def lives_html(root: str, file: Path) -> str:
    """How a document leaves the library that lives in a folder of its owner's."""
    return (
        f"<p>It lives in the folder <strong>{plain(root)}</strong>, and no file of it is ever touched from here. "
        "Delete or move the file, then read it again:</p>"
        f"<p><small>{plain(str(file))}</small></p>"
        "<p>All documents of the folder leave with <em>Forget</em>, under <em>Add documents, Folders</em>.</p>"
    )
