"""Runs a call with the blocking client and with the asynchronous one: both must do the same."""

from __future__ import annotations

import inspect
import itertools
from typing import Any, AsyncIterator, Callable, Dict, List

import anyio
import httpx
import pytest

from malipo import AsyncMalipo, DepositRequest, Malipo, PayoutRequest, mobile_money
from malipo.testing import FakeGateway

Handler = Callable[[httpx.Request], httpx.Response]
#: Any: the same function is given either client, whose methods return a value or something to wait for.
Use = Callable[[Any], Any]

WALLET = mobile_money("MTN_MOMO_RWA", "250783456789")

both = pytest.mark.parametrize("is_async", [False, True], ids=["blocking", "async"])


def deposit_request(**changes: Any) -> DepositRequest:
    fields: Dict[str, Any] = {"amount": "100", "currency": "RWF", "payer": WALLET, **changes}
    return DepositRequest(**fields)


def payout_request(**changes: Any) -> PayoutRequest:
    fields: Dict[str, Any] = {"amount": "100", "currency": "RWF", "recipient": WALLET, **changes}
    return PayoutRequest(**fields)


def run(is_async: bool, gateway: FakeGateway, use: Use, **options: Any) -> Any:
    """What `use` comes to with a client of this gateway."""
    if not is_async:
        return use(gateway.client(**options))
    return anyio.run(_await, use, gateway.async_client(**options))


def run_with(is_async: bool, handler: Handler, use: Use, **options: Any) -> Any:
    """The same with a client whose requests this function answers."""
    transport = httpx.MockTransport(handler)
    given: Dict[str, Any] = {"base_url": "https://gateway.test", "token": "test", **options}
    if not is_async:
        return use(Malipo(http_client=httpx.Client(transport=transport), **given))
    client = AsyncMalipo(http_client=httpx.AsyncClient(transport=transport), **given)
    return anyio.run(_await, use, client)


def everything(listed: Any) -> Any:
    """All that a list has, from an iterator or an asynchronous one."""
    return _collect(listed) if hasattr(listed, "__aiter__") else list(listed)


async def _collect(listed: AsyncIterator[Any]) -> List[Any]:
    return [one async for one in listed]


def first(count: int, listed: Any) -> Any:
    """The first so many of an iterator that need not end."""
    return _collect_first(count, listed) if hasattr(listed, "__aiter__") else list(itertools.islice(listed, count))


async def _collect_first(count: int, listed: AsyncIterator[Any]) -> List[Any]:
    return [await listed.__anext__() for _ in range(count)]


async def _await(use: Use, client: AsyncMalipo) -> Any:
    result = use(client)
    return await result if inspect.isawaitable(result) else result
