"""Inline XBRL 1.1: the facts that a filing's web page tags.

xhtml_tree        the page as a tree of plain tags, read as XML where it is well-formed
contexts          contexts and units: entity, period, dimensions, measures of figures
transformations   the transformation registries: printed text to value
inline_facts      the tags with their values, scales, continuations and tuples
fact_marks        marks in the page's text, by which facts get their spans
cover_facts       the facts that the tags of a cover give
"""
