"""A folder of the library as one line."""

from __future__ import annotations

from pathlib import Path

from dashboards.drawing.escaping import text_html
from tasks.quality.wording import counted
from warehouse.records import Root


def source_folder_html(root: Root, documents: int, *, inbox: bool) -> str:
    """Its name, how many documents it has, and where it lies, unless it is the warehouse's own `inbox`."""
    where = "files added in the dashboard" if inbox else str(root.folder)
    some = f", only {counted(len(root.only), 'file')} of it" if root.only is not None else ""
    count = counted(documents, "document")
    return (
        f'<p class="k-folder"><strong>{text_html(root.name)}</strong> <small>{count}{some}</small><br>'
        f"<small>{text_html(where)}</small></p>"
    )


def removal_help_html(root: str, file: Path) -> str:
    """How to remove a document that comes from a folder of its owner's."""
    return (
        f"<p>This document comes from the folder <strong>{text_html(root)}</strong>. "
        "Kalends never changes files there: delete or move the file yourself, then press <em>Import again</em>.</p>"
        f"<p><small>{text_html(str(file))}</small></p>"
        "<p>To remove the whole folder from the library: <em>Library, Add documents, Folders, Remove</em>.</p>"
    )
