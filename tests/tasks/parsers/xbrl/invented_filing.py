"""Pages of inline XBRL in the making: contexts, units, tags and tables as filers' programs write them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

NAMESPACES = {
    "": "http://www.w3.org/1999/xhtml",
    "ix": "http://www.xbrl.org/2013/inlineXBRL",
    "ixt": "http://www.xbrl.org/inlineXBRL/transformation/2020-02-12",
    "ixt-sec": "http://www.sec.gov/inlineXBRL/transformation/2015-08-31",
    "xbrli": "http://www.xbrl.org/2003/instance",
    "xbrldi": "http://xbrl.org/2006/xbrldi",
    "link": "http://www.xbrl.org/2003/linkbase",
    "xlink": "http://www.w3.org/1999/xlink",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "iso4217": "http://www.xbrl.org/2003/iso4217",
    "dei": "http://xbrl.sec.gov/dei/2024",
    "us-gaap": "http://fasb.org/us-gaap/2024",
    "srt": "http://fasb.org/srt/2024",
    "nli": "http://www.northlight.example/20250630",
}
UNITS = {
    "usd": ("iso4217:USD", ""),
    "shares": ("xbrli:shares", ""),
    "usdPerShare": ("iso4217:USD", "xbrli:shares"),
    "pure": ("xbrli:pure", ""),
}
ENTITY = "0009999999"


def context(name: str, start: str, end: str = "", members: Sequence[tuple[str, str]] = (), typed: str = "") -> str:
    """A context of an instant (`start` alone), a duration, or for ever (neither); `members` are axis and member."""
    held = "".join(
        f'<xbrldi:explicitMember dimension="{axis}">{member}</xbrldi:explicitMember>' for axis, member in members
    )
    segment = f"<xbrli:segment>{held}{typed}</xbrli:segment>" if held or typed else ""
    period = f"<xbrli:startDate>{start}</xbrli:startDate><xbrli:endDate>{end}</xbrli:endDate>"
    period = period if end else f"<xbrli:instant>{start}</xbrli:instant>" if start else "<xbrli:forever/>"
    return (
        f'<xbrli:context id="{name}"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">{ENTITY}'
        f"</xbrli:identifier>{segment}</xbrli:entity><xbrli:period>{period}</xbrli:period></xbrli:context>"
    )


def unit(name: str, above: str, below: str) -> str:
    """A unit of one measure, or of one per another."""
    if not below:
        return f'<xbrli:unit id="{name}"><xbrli:measure>{above}</xbrli:measure></xbrli:unit>'
    sides = (("unitNumerator", above), ("unitDenominator", below))
    held = "".join(f"<xbrli:{side}><xbrli:measure>{name}</xbrli:measure></xbrli:{side}>" for side, name in sides)
    return f'<xbrli:unit id="{name}"><xbrli:divide>{held}</xbrli:divide></xbrli:unit>'


def tag(kind: str, text: str, name: str, context_ref: str, **attributes: str) -> str:
    """A tag with its text, which may hold markup."""
    given = {"name": name, "contextRef": context_ref, **attributes}
    shown = " ".join(f'{key.replace("__", ":")}="{escape(value)}"' for key, value in given.items())
    return f"<ix:{kind} {shown}>{text}</ix:{kind}>"


def amount(text: str, name: str, context_ref: str, unit_ref: str = "usd", scale: str = "6", **attributes: str) -> str:
    """A figure of money as most are: with a decimal point, in millions."""
    given = {"unitRef": unit_ref, "decimals": f"-{scale}", "format": "ixt:num-dot-decimal", "scale": scale}
    return tag("nonFraction", text, name, context_ref, **{**given, **attributes})


def words(text: str, name: str, context_ref: str, **attributes: str) -> str:
    """A fact in words."""
    return tag("nonNumeric", text, name, context_ref, **attributes)


def page(body: str, contexts: Sequence[str], hidden: str = "", title: str = "nli-20250630", head: str = "") -> str:
    """A whole page, as XML."""
    spaces = " ".join(f'xmlns{":" if prefix else ""}{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
    units = "".join(unit(name, *sides) for name, sides in UNITS.items())
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<html {spaces} xml:lang="en-US"><head><title>{title}</title>{head}'
        f'</head><body><div style="display:none"><ix:header><ix:hidden>{hidden}</ix:hidden><ix:references>'
        '<link:schemaRef xlink:type="simple" xlink:href="nli-20250630.xsd"/></ix:references><ix:resources>'
        f"{''.join(contexts)}{units}</ix:resources></ix:header></div>{body}</body></html>"
    )


def row(label: str, *cells: str) -> str:
    """A row whose figures stand in three columns each, sign, digits and closing bracket, with a column between."""
    shown = "".join(
        f'<td colspan="3" style="padding:0 1pt"/>{cell if cell.startswith("<td") else figure(cell)}' for cell in cells
    )
    return f'<tr><td colspan="3">{label}</td>{shown}</tr>'


def figure(digits: str, sign: str = "", closing: str = "") -> str:
    """A figure as the program of many filers sets it."""
    if sign:
        return f"<td>{sign}</td><td><span>{digits}</span></td><td>{closing}</td>"
    return f'<td colspan="2"><span>{digits}</span></td><td>{closing}</td>'


def table(*rows: str) -> str:
    """A table with the row of widths that such programs begin with."""
    return f'<table style="width:100%"><tr><td style="width:1%"/></tr>{"".join(rows)}</table>'
