"""Signals: the reasons for which a passage may answer a question.

A signal is a subclass of `warehouse.search.scoring.SearchSignal`. It may widen the candidates and give a part of their
score; `warehouse.search.search` names them all, in order, and loops over them.
"""
