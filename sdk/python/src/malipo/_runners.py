"""Take the steps of a call: one runner with blocking functions, one with asynchronous functions of asyncio or trio."""

from __future__ import annotations

import inspect
import time
from functools import partial
from typing import Awaitable, Callable, Sequence, TypeVar, Union, cast

import anyio
import anyio.to_thread
import httpx

from ._exchange import Answer, Call, Exchange, read_answer
from ._flow import Flow, Pause, Remember, Settle, Step, Unsettled
from .journal import AsyncJournal, Journal, JournalEntry

T = TypeVar("T")

_NO_ANSWER = (httpx.HTTPError, httpx.StreamError, TimeoutError)
_OF_JOURNAL = (Unsettled, Remember, Settle)


class Runner:
    def __init__(self, exchange: Exchange, client: httpx.Client, journal: Journal, retry_for: float) -> None:
        self._exchange = exchange
        self._client = client
        self.journal = journal
        self.retry_for = retry_for

    def run(self, flow: Flow[T]) -> T:
        go_on = partial(flow.send, None)
        while True:
            try:
                step = go_on()
            except StopIteration as done:
                return cast(T, done.value)
            try:
                go_on = partial(flow.send, self._take(step))
            except Exception as error:
                # What a journal raises the flow judges. Anything else, such as a job's time limit, ends it.
                if not isinstance(step, _OF_JOURNAL):
                    raise
                go_on = partial(flow.throw, error)

    def _take(self, step: Step) -> object:
        if isinstance(step, Call):
            return self._send(step)
        if isinstance(step, Unsettled):
            return self.journal.unsettled()
        if isinstance(step, Pause):
            time.sleep(step.seconds)
        elif isinstance(step, Remember):
            self.journal.remember(step.entries)
        else:
            self.journal.settle(step.entries)
        return None

    def _send(self, call: Call) -> Answer:
        request = self._exchange.request(call)
        try:
            # A redirect would send token and request to another host.
            late_at = time.monotonic() + self._exchange.timeout_of(call)
            response = self._client.send(request, stream=True, follow_redirects=False)
            content = _read_until(late_at, response)
        except _NO_ANSWER as error:
            return self._exchange.no_answer(call, error)
        return read_answer(response.status_code, response.headers, content)


def _read_until(late_at: float, response: httpx.Response) -> bytes:
    """httpx limits the time of each part of an exchange, and not of the whole."""
    content = b""
    try:
        for chunk in response.iter_bytes():
            content += chunk
            if time.monotonic() > late_at:
                raise TimeoutError
    finally:
        response.close()
    return content


class AsyncRunner:
    def __init__(
        self,
        exchange: Exchange,
        client: httpx.AsyncClient,
        journal: Union[Journal, AsyncJournal],
        retry_for: float,
    ) -> None:
        self._exchange = exchange
        self._client = client
        self._journal = journal
        self.retry_for = retry_for

    async def run(self, flow: Flow[T]) -> T:
        go_on = partial(flow.send, None)
        while True:
            try:
                step = go_on()
            except StopIteration as done:
                return cast(T, done.value)
            try:
                go_on = partial(flow.send, await self._take(step))
            except Exception as error:
                # What a journal raises the flow judges. Anything else, such as a job's time limit, ends it.
                if not isinstance(step, _OF_JOURNAL):
                    raise
                go_on = partial(flow.throw, error)

    async def unsettled(self) -> Sequence[JournalEntry]:
        unsettled: Callable[[], object] = self._journal.unsettled
        return cast(Sequence[JournalEntry], await _call(unsettled))

    async def _take(self, step: Step) -> object:
        if isinstance(step, Call):
            return await self._send(step)
        if isinstance(step, Unsettled):
            return await self.unsettled()
        if isinstance(step, Pause):
            await anyio.sleep(step.seconds)
        elif isinstance(step, Remember):
            await _call(self._journal.remember, step.entries)
        else:
            await _call(self._journal.settle, step.entries)
        return None

    async def _send(self, call: Call) -> Answer:
        request = self._exchange.request(call)
        try:
            late_at = time.monotonic() + self._exchange.timeout_of(call)
            response = await self._client.send(request, stream=True, follow_redirects=False)
            content = await _read_until_async(late_at, response)
        except _NO_ANSWER as error:
            return self._exchange.no_answer(call, error)
        return read_answer(response.status_code, response.headers, content)


async def _read_until_async(late_at: float, response: httpx.Response) -> bytes:
    """Nothing is cancelled: a cancelled request can keep its connection, and the client has no more after some."""
    content = b""
    try:
        async for chunk in response.aiter_bytes():
            content += chunk
            if time.monotonic() > late_at:
                raise TimeoutError
    finally:
        await response.aclose()
    return content


async def _call(function: Callable[..., object], *arguments: object) -> object:
    """A journal that blocks, such as a file, is called in a thread."""
    if inspect.iscoroutinefunction(function):
        return await cast(Awaitable[object], function(*arguments))
    return await anyio.to_thread.run_sync(function, *arguments)
