"""The settings that the tests of widgets run under: those of the pages."""

from tests.dashboards.pages.conftest import _surroundings, corpus, draw, listens, warehouse

__all__ = ["_surroundings", "corpus", "draw", "listens", "warehouse"]
