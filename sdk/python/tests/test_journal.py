"""Identifiers that are stored before anything is sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import List, Sequence

import anyio
import httpx
import pytest

from malipo import FileJournal, JournalEntry, MalipoError
from malipo.testing import FakeGateway

from .both import both, payout_request, run, run_with


def test_what_was_not_settled_is_there_after_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    journal = FileJournal(path)
    first, second = JournalEntry("payout", "A"), JournalEntry("deposit", "b", client_reference_id="7")
    journal.remember([first, second])
    journal.settle([JournalEntry("payout", "a")])
    journal.close()
    # A crash can leave half of a line.
    path.write_text(path.read_text() + '\n{"act": "remem')
    again = FileJournal(path)
    [entry] = again.unsettled()
    assert (entry.kind, entry.id, entry.client_reference_id) == ("deposit", "b", "7")
    assert abs((entry.at - second.at).total_seconds()) < 0.001
    again.close()
    assert '"a"' not in path.read_text().lower(), "settled entries are left out of the new file"


def test_two_users_of_one_file_are_refused(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path / "journal")
    with pytest.raises(MalipoError, match="Another process"):
        FileJournal(tmp_path / "journal")
    journal.close()
    FileJournal(tmp_path / "journal").close()


@both
def test_a_client_keeps_its_identifiers_in_the_file(is_async: bool, tmp_path: Path) -> None:
    journal = FileJournal(tmp_path / "journal")
    request = payout_request()
    started = run(is_async, FakeGateway(), lambda malipo: malipo.payouts.create(request), journal=journal)
    assert started.outcome == "accepted"
    assert journal.unsettled() == []
    assert request.payout_id in (tmp_path / "journal").read_text()
    journal.close()


def test_what_the_file_cannot_store_is_not_unsettled(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path / "journal")
    journal.close()
    with pytest.raises(ValueError, match="closed"):
        journal.remember([JournalEntry("payout", "a")])
    assert journal.unsettled() == []


class Recorded:
    """A journal with asynchronous functions."""

    def __init__(self) -> None:
        self.acts: List[str] = []

    async def remember(self, entries: Sequence[JournalEntry]) -> None:
        self.acts += [f"remember {entry.kind}" for entry in entries]

    async def settle(self, entries: Sequence[JournalEntry]) -> None:
        self.acts += [f"settle {entry.kind}" for entry in entries]

    async def unsettled(self) -> Sequence[JournalEntry]:
        return []


def test_an_asynchronous_client_takes_an_asynchronous_journal() -> None:
    journal = Recorded()

    async def pay() -> Sequence[JournalEntry]:
        malipo = FakeGateway().async_client(journal=journal)
        await malipo.payouts.create(payout_request())
        return await malipo.unsettled()

    assert anyio.run(pay) == []
    assert journal.acts == ["remember payout", "settle payout"]


class Full:
    """A journal that stores so many times; its disk is full for everything else."""

    def __init__(self, remembered: int) -> None:
        self._left = remembered

    def remember(self, entries: Sequence[JournalEntry]) -> None:
        if self._left == 0:
            raise OSError("No space left on device")
        self._left -= 1

    def settle(self, entries: Sequence[JournalEntry]) -> None:
        raise OSError("No space left on device")

    def unsettled(self) -> Sequence[JournalEntry]:
        return []


@both
def test_nothing_is_sent_when_the_journal_cannot_be_written(is_async: bool) -> None:
    gateway = FakeGateway()
    with pytest.raises(OSError, match="No space"):
        run(is_async, gateway, lambda malipo: malipo.payouts.create(payout_request()), journal=Full(0))
    assert gateway.requests == []


@both
def test_a_journal_that_fails_after_the_gateway_has_answered_hides_no_outcome(is_async: bool) -> None:
    started = run(
        is_async, FakeGateway(), lambda malipo: malipo.payouts.create(payout_request()), journal=Full(1)
    )
    assert started.outcome == "accepted"
    reason = {"failureCode": "AUTHENTICATION_ERROR", "failureMessage": "The token is wrong."}
    with pytest.raises(MalipoError, match="token is wrong"):
        run_with(
            is_async,
            lambda _: httpx.Response(401, json={"failureReason": reason}),
            lambda malipo: malipo.payouts.create(payout_request()),
            journal=Full(1),
        )


@both
def test_when_the_journal_fails_for_a_later_list_that_is_not_sent_and_the_outcomes_of_earlier_ones_are_returned(
    is_async: bool,
) -> None:
    gateway, requests = FakeGateway(), [payout_request() for _ in range(22)]
    results = run(is_async, gateway, lambda malipo: malipo.payouts.create_many(requests), journal=Full(1))
    assert [one.outcome for one in results] == ["accepted"] * 20 + ["unknown"] * 2
    assert results[21].id == requests[21].payout_id and results[21].cause.code == "INTERRUPTED"
    assert len(gateway.requests) == 1


class JobTimeLimit(Exception):
    """What a job queue raises in the middle of anything."""


@both
def test_a_time_limit_of_the_job_ends_a_list_and_nothing_more_is_sent(is_async: bool) -> None:
    sent: List[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        if len(sent) == 2:
            raise JobTimeLimit
        ids = [row["payoutId"] for row in json.loads(request.content)]
        accepted = {"status": "ACCEPTED", "created": "2026-11-19T08:00:00Z"}
        return httpx.Response(200, json=[{"payoutId": id, **accepted} for id in ids])

    requests = [payout_request() for _ in range(60)]
    with pytest.raises(JobTimeLimit):
        run_with(is_async, answer, lambda malipo: malipo.payouts.create_many(requests))
    assert len(sent) == 2


@both
def test_of_a_list_with_a_request_that_json_cannot_hold_nothing_is_sent(is_async: bool) -> None:
    gateway = FakeGateway()
    requests = [*(payout_request() for _ in range(20)), payout_request(client_reference_id="\ud800")]
    with pytest.raises(UnicodeEncodeError):
        run(is_async, gateway, lambda malipo: malipo.payouts.create_many(requests))
    assert gateway.requests == []
