"""Cached results of experiments, computed once until there is a new trial."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboards.pages.experiments.queries import TrialGroup, group_trials, list_trial_files, read_outcome
from dashboards.widgets.resources import PageContext
from flows.experiments.losses import LossReport, explain_losses
from tasks.evaluate.experiments.effects import Effect, effects
from tasks.evaluate.experiments.findings import Findings
from tasks.evaluate.experiments.outcome import GridOutcome
from tasks.evaluate.experiments.price import Price, price
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout


def load_groups(here: PageContext) -> list[TrialGroup]:
    """All rounds, the latest first."""
    layout = Layout(here.settings.warehouse)
    return _rounds(str(layout.folder), list_trial_files(Lake(layout.lake)), here)


def load_outcome(here: PageContext, chosen: TrialGroup) -> GridOutcome:
    """A round with all its questions."""
    lake = Lake(Layout(here.settings.warehouse).lake)
    return _outcome(str(here.settings.warehouse), _ids(chosen), chosen, lake)


def load_price(found: GridOutcome, measure: str) -> Price:
    """The best of a round and what being best costs."""
    return _price(tuple(each.record.trial_id for each in found.trials), measure, found)


def load_effects(found: GridOutcome, measure: str) -> list[Effect]:
    """What each value of a dimension is worth."""
    return _effects(tuple(each.record.trial_id for each in found.trials), measure, found)


def load_findings(found: GridOutcome) -> Findings:
    """All that a report says, by the measure that decides."""
    return Findings(found, load_price(found, found.measure), load_effects(found, found.measure))


def load_losses(here: PageContext, before: str, after: str) -> LossReport:
    """Why questions were lost from one trial to another, by their ids. Raises `BadInput` and `BadWarehouse`."""
    return _losses(str(here.settings.warehouse), before, after)


def _ids(chosen: TrialGroup) -> tuple[str, ...]:
    return tuple(each.trial_id for each in chosen.trials)


@st.cache_resource(show_spinner=False, max_entries=2)
def _rounds(folder: str, state: tuple[str, ...], _here: PageContext) -> list[TrialGroup]:
    return group_trials(_here.warehouse, _here.settings)


@st.cache_resource(show_spinner="Reading the questions …", max_entries=4)
def _outcome(folder: str, trials: tuple[str, ...], _chosen: TrialGroup, _lake: Lake) -> GridOutcome:
    return read_outcome(_lake, _chosen)


@st.cache_resource(show_spinner="Comparing the configurations …", max_entries=16)
def _price(trials: tuple[str, ...], measure: str, _found: GridOutcome) -> Price:
    return price(_found, measure)


@st.cache_resource(show_spinner="Computing the effect of each setting …", max_entries=16)
def _effects(trials: tuple[str, ...], measure: str, _found: GridOutcome) -> list[Effect]:
    return effects(_found.trials, measure)


@st.cache_resource(show_spinner="Finding the first difference …", max_entries=16)
def _losses(folder: str, before: str, after: str) -> LossReport:
    return explain_losses(Layout(Path(folder)), before, after)
