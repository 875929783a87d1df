"""The driver of the conformance kit (sdk/conformance/README.md), with blocking calls or, with ``async``, the others."""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, List, Type, Union

import anyio
import httpx

import malipo
from malipo import AsyncMalipo, EventPage, Malipo, MalipoError, Signing, Struct

REQUESTS: Dict[str, Type[Struct]] = {
    "deposits": malipo.DepositRequest,
    "payouts": malipo.PayoutRequest,
    "refunds": malipo.RefundRequest,
    "remittances": malipo.RemittanceRequest,
    "split_payments": malipo.SplitPaymentRequest,
    "checkouts": malipo.CheckoutRequest,
    "payment_pages": malipo.PaymentPageRequest,
    "statements": malipo.StatementRequest,
}

Results = List[Dict[str, Any]]


def options(call: Dict[str, Any]) -> Dict[str, Any]:
    key = call.get("signing")
    return {
        "base_url": call["baseUrl"],
        "token": call["token"],
        "signing": None if key is None else Signing(key["keyId"], key["privateKey"], key["algorithm"]),
        "timeout": call["timeoutMs"] / 1000,
        "retry_for": call["retryForMs"] / 1000,
    }


def call_on(client: Union[Malipo, AsyncMalipo], call: Dict[str, Any]) -> Any:
    resource, verb = re.sub(r"(?=[A-Z])", "_", call["call"]).lower().split(".")
    return getattr(getattr(client, resource), verb)(read_request(resource, call["request"]))


def read_request(resource: str, given: Any) -> Any:
    """A text is an identifier."""
    if isinstance(given, list):
        return [read_request(resource, one) for one in given]
    return given if isinstance(given, str) else REQUESTS[resource].from_json(given)


def render(returned: Any) -> Results:
    return [render_one(one) for one in (returned if isinstance(returned, list) else [returned])]


def render_one(returned: Any) -> Dict[str, Any]:
    if returned is None:
        return {"outcome": "not found"}
    if isinstance(returned, malipo.Record):
        return {"outcome": "found", "status": getattr(returned, "status"), "paid": returned.paid}
    result = {"outcome": returned.outcome, "id": returned.id}
    if returned.outcome == "rejected":
        return {**result, "code": returned.failure_reason.failure_code}
    return {**result, "code": returned.cause.code} if returned.outcome == "unknown" else result


def render_page(page: EventPage) -> Results:
    statuses = [{"outcome": "event", "id": one.id, "status": one.status} for one in page.events if one.status]
    return [{"outcome": "expired"}, *statuses] if page.expired else statuses


def has_ended(results: Results, id: str) -> bool:
    return {"outcome": "event", "id": id, "status": "COMPLETED"} in results


def follow(client: Malipo, after: str, until: str) -> Results:
    results: Results = []
    for page in client.events.follow(after=after):
        results += render_page(page)
        if has_ended(results, until):
            break
    return results


async def follow_async(client: AsyncMalipo, after: str, until: str) -> Results:
    results: Results = []
    async for page in client.events.follow(after=after):
        results += render_page(page)
        if has_ended(results, until):
            break
    return results


def render_error(error: MalipoError) -> Results:
    return [{"outcome": "error", "code": error.code}]


def answer(call: Dict[str, Any], results: Results) -> None:
    # One write, so that the lines of several threads do not mix.
    sys.stdout.write(json.dumps({"number": call["number"], "results": results}) + "\n")
    sys.stdout.flush()


def run_blocking() -> None:
    # To make one takes longer than a call.
    http_client = httpx.Client()

    def run(line: str) -> None:
        call = json.loads(line)
        try:
            client = Malipo(**options(call), http_client=http_client)
            is_following = call["call"] == "events.follow"
            answer(call, follow(client, **call["request"]) if is_following else render(call_on(client, call)))
        except MalipoError as error:
            answer(call, render_error(error))
        except BaseException:
            # The kit sees that the driver has ended.
            traceback.print_exc()
            os._exit(1)

    with ThreadPoolExecutor(max_workers=20) as threads:
        for line in sys.stdin:
            threads.submit(run, line)


async def run_async() -> None:
    http_client = httpx.AsyncClient()

    async def run(line: str) -> None:
        call = json.loads(line)
        try:
            client = AsyncMalipo(**options(call), http_client=http_client)
            if call["call"] == "events.follow":
                return answer(call, await follow_async(client, **call["request"]))
            answer(call, render(await call_on(client, call)))
        except MalipoError as error:
            answer(call, render_error(error))

    async with anyio.create_task_group() as tasks:
        async for line in anyio.wrap_file(sys.stdin):
            tasks.start_soon(run, line)


if __name__ == "__main__":
    anyio.run(run_async) if "async" in sys.argv else run_blocking()
