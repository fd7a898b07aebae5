"""The settings that the tests of pages run under: a folder of their own, a small warehouse and no model."""

from tests.dashboards.pages.conftest import _surroundings, corpus, warehouse

__all__ = ["_surroundings", "corpus", "warehouse"]
