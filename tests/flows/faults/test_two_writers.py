"""Two ingests of one warehouse at once."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from flows.locks import write_lock
from tests.flows.faults import forge
from tests.flows.faults.site import Site
from warehouse.store.layout import Layout


@pytest.mark.slow
def test_the_second_says_who_holds_it(site: Site) -> None:
    before = site.state()
    with write_lock(Layout(site.warehouse)):
        outcome = site.ingest()
    assert outcome.code == 2
    assert f"process {os.getpid()}" in outcome.err
    assert site.state() == before
    site.healed()


@pytest.mark.slow
def test_several_at_the_same_time_publish_what_one_would(site: Site) -> None:
    with forge.opened() as one, forge.opened() as other, ThreadPoolExecutor(3) as pool:
        forges = (site.forge, one, other)
        ended = list(pool.map(lambda each: site.at(each).ingest(), forges))
    assert {outcome.code for outcome in ended} <= {0, 2}
    assert all("is writing to" in outcome.err for outcome in ended if outcome.code)
    site.healed()
