"""Cached results of experiments, computed once until there is a new trial."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboards.pages.experiments.queries import TrialGroup, group_trials, list_trial_files, read_outcome
from dashboards.widgets.resources import PageContext
from flows.experiments.losses import LossReport, explain_losses
from tasks.evaluate.experiments.grid_outcome import Effect, Findings, GridOutcome, Price, effects, price
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout


def load_groups(context: PageContext) -> list[TrialGroup]:
    """All experiments, the latest first."""
    layout = Layout(context.settings.warehouse)
    return _cached_groups(str(layout.folder), list_trial_files(Lake(layout.lake)), context)


def load_outcome(context: PageContext, group: TrialGroup) -> GridOutcome:
    """An experiment with all its questions."""
    lake = Lake(Layout(context.settings.warehouse).lake)
    return _cached_outcome(str(context.settings.warehouse), _trial_ids(group), group, lake)


def load_price(outcome: GridOutcome, measure: str) -> Price:
    """The best configuration of an experiment and its cost."""
    return _cached_price(tuple(each.record.trial_id for each in outcome.trials), measure, outcome)


def load_effects(outcome: GridOutcome, measure: str) -> list[Effect]:
    """The effect of each value of a setting."""
    return _cached_effects(tuple(each.record.trial_id for each in outcome.trials), measure, outcome)


def load_findings(outcome: GridOutcome) -> Findings:
    """The content of a report, by the decisive measure."""
    return Findings(outcome, load_price(outcome, outcome.measure), load_effects(outcome, outcome.measure))


def load_losses(context: PageContext, before: str, after: str) -> LossReport:
    """The reasons why questions got worse between two trials, by their ids. Raises `BadInput` and `BadWarehouse`."""
    return _cached_losses(str(context.settings.warehouse), before, after)


def _trial_ids(group: TrialGroup) -> tuple[str, ...]:
    return tuple(each.trial_id for each in group.trials)


@st.cache_resource(show_spinner=False, max_entries=2)
def _cached_groups(folder: str, files: tuple[str, ...], _context: PageContext) -> list[TrialGroup]:
    return group_trials(_context.warehouse, _context.settings)


@st.cache_resource(show_spinner="Reading the questions …", max_entries=4)
def _cached_outcome(folder: str, trials: tuple[str, ...], _group: TrialGroup, _lake: Lake) -> GridOutcome:
    return read_outcome(_lake, _group)


@st.cache_resource(show_spinner="Comparing the configurations …", max_entries=16)
def _cached_price(trials: tuple[str, ...], measure: str, _outcome: GridOutcome) -> Price:
    return price(_outcome, measure)


@st.cache_resource(show_spinner="Computing the effect of each setting …", max_entries=16)
def _cached_effects(trials: tuple[str, ...], measure: str, _outcome: GridOutcome) -> list[Effect]:
    return effects(_outcome.trials, measure)


@st.cache_resource(show_spinner="Finding the first difference …", max_entries=16)
def _cached_losses(folder: str, before: str, after: str) -> LossReport:
    return explain_losses(Layout(Path(folder)), before, after)
