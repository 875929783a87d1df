"""Every call of the client as a flow: what it sends, and what its answer becomes. Resources only run them."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any, Dict, List, Optional, Sequence, Tuple, Type, TypeVar, Union
from urllib.parse import quote, urlencode

from ._answer import Fields, fields_of, read_action, read_lookup, read_reason, read_refusal, refused_as
from ._exchange import Answered, Call, Trouble, interrupted, unreadable, write_body
from ._flow import Flow, Pause, ask, send, send_until_clear
from ._kind import A, DEPOSIT, Kind, R
from ._start_requests import journal_entry, send_stored, start_requests
from ._struct import Record, Struct, Time, read_time, write_time
from .errors import MalipoError, misuse
from .outcome import Acted, AcceptedPage, AcceptedStatement, EventPage, NotPredicted, Prediction, Rejected
from .outcome import RejectedStatement, Started, Still, Unknown
from .schema import ActiveConfiguration, CountryAvailability, Event, FailureReason, PaymentPageRequest
from .schema import PredictedProvider, PublicKey, StatementRequest, WalletBalance

S = TypeVar("S", bound=Struct)
L = TypeVar("L", bound=Record)

#: The gateway's maximum per list.
_LIST_MAX = 20


def create(kind: Kind[R, A], request: Struct, retry_for: float) -> Flow[Started[A]]:
    results = yield from start_requests(kind, [request.to_json()], retry_for, is_list=False)
    return results[0]


def create_many(kind: Kind[R, A], requests: Sequence[Struct], retry_for: float) -> Flow[List[Started[A]]]:
    bodies = [request.to_json() for request in requests]
    _require_distinct([str(body[kind.id_name]) for body in bodies])
    # What JSON cannot hold raises here, before anything is sent, and not in a later call.
    write_body(bodies)
    results: List[Started[A]] = []
    for first in range(0, len(bodies), _LIST_MAX):
        some = bodies[first : first + _LIST_MAX]
        try:
            results += yield from start_requests(kind, some, retry_for, is_list=True)
        except Exception as error:
            # Earlier results must not be lost because of a later request.
            if first == 0:
                raise
            cause = error if isinstance(error, MalipoError) else interrupted(error)
            results += [Unknown(str(body[kind.id_name]), cause) for body in some]
    return results


def _require_distinct(ids: Sequence[str]) -> None:
    """Two requests of one list with the same identifier would be one payment and look like two."""
    written = [id.lower() for id in ids]
    repeated = next((id for index, id in enumerate(written) if id in written[:index]), None)
    if repeated is not None:
        what_to_do = "Give each request its own identifier; a copy of a request is the same payment."
        raise misuse(f"Two requests of the list have the identifier {repeated}.", what_to_do)


def get(kind: Kind[R, A], id: str, deadline: float, timeout: Optional[float] = None) -> Flow[Optional[R]]:
    answer = yield from ask(Call("GET", kind.path_of(id), timeout=timeout), deadline)
    record = read_lookup(answer)
    if isinstance(record, MalipoError):
        raise record
    return None if record is None else kind.record.from_json(record)


#: A gateway that cannot be reached now may be available again before the time is over.
_PASSING = ("NETWORK", "TIMEOUT", "UNAVAILABLE", "RATE_LIMITED")
_FIRST_INTERVAL = 0.25
_LONGEST_INTERVAL = 5.0


def wait_for_final(kind: Kind[R, A], id: str, timeout: float) -> Flow[Union[R, Still]]:
    deadline = time.monotonic() + timeout
    still, interval = "UNREACHABLE", _FIRST_INTERVAL
    while time.monotonic() < deadline:
        try:
            payment = yield from get(kind, id, deadline, timeout=deadline - time.monotonic())
        except MalipoError as error:
            if error.code not in _PASSING:
                raise
        else:
            if payment is not None and payment.is_final:
                return payment
            still = "NOT_FOUND" if payment is None else str(payment.to_json().get("status"))
        yield Pause(max(0.0, min(interval, deadline - time.monotonic())))
        interval = min(interval * 1.5, _LONGEST_INTERVAL)
    return Still(still)


def act(id: str, path: str) -> Flow[Acted]:
    """Not repeated if the result is unclear: the second answer would report the action as impossible."""
    answer = yield from send(Call("POST", path))
    if isinstance(answer, Trouble):
        raise answer.cause
    acted = read_action(id, answer)
    if acted is None:
        raise refused_as(answer)
    return acted


def resend_callback(kind: Kind[R, A], id: str) -> Flow[Acted]:
    return act(id, f"{kind.path}/resend-callback/{quote(id, safe='')}")


def cancel(kind: Kind[R, A], id: str) -> Flow[Acted]:
    return act(id, f"{kind.path}/fail-enqueued/{quote(id, safe='')}")


def expire(kind: Kind[R, A], id: str) -> Flow[Acted]:
    return act(id, f"{kind.path_of(id)}/expire")


def open_page(request: PaymentPageRequest, retry_for: float) -> Flow[Union[AcceptedPage, Rejected, Unknown]]:
    """A repeated request replaces the address of the same identifier; it leads to one deposit at most."""
    body = request.to_json()
    call = Call("POST", "/v2/paymentpage", body, is_initiation=True)
    sending = _open(request.deposit_id, call, time.monotonic() + retry_for)
    return (yield from send_stored([journal_entry(DEPOSIT, body)], sending))[0]


def _open(id: str, call: Call, deadline: float) -> Flow[List[Union[AcceptedPage, Rejected, Unknown]]]:
    answer = yield from send_until_clear(call, deadline)
    if isinstance(answer, Trouble):
        return [Unknown(id, answer.cause)]
    url = fields_of(answer.body).get("redirectUrl")
    return [AcceptedPage(id, url) if isinstance(url, str) else Rejected(id, _reason_of(answer))]


def request_statement(
    request: StatementRequest, retry_for: float
) -> Flow[Union[AcceptedStatement, RejectedStatement]]:
    """The gateway creates the identifier, so a repetition makes at worst two equal statements; no money moves."""
    call = Call("POST", "/v2/statements", request.to_json())
    answer = yield from ask(call, time.monotonic() + retry_for)
    said: Fields = fields_of(answer.body)
    id, created = said.get("statementId"), read_time(said.get("created"))
    if said.get("status") == "ACCEPTED" and isinstance(id, str) and created is not None:
        return AcceptedStatement(id, created)
    return RejectedStatement(_reason_of(answer))


def _reason_of(answer: Answered) -> FailureReason:
    refusal, reason = read_refusal(answer), read_reason(answer.body)
    if refusal is not None or reason is None:
        raise refusal or unreadable(answer.status)
    return reason


def read(path: str, query: Dict[str, Optional[str]], retry_for: float) -> Flow[Any]:
    """The body of an answer that is returned as it is."""
    text = urlencode({name: value for name, value in query.items() if value is not None})
    call = Call("GET", f"{path}?{text}" if text else path)
    answer = yield from ask(call, time.monotonic() + retry_for)
    if answer.status != 200:
        raise refused_as(answer)
    return answer.body


def _structs(cls: Type[S], listed: object) -> List[S]:
    if not isinstance(listed, list):
        raise unreadable(200)
    return [cls.from_json(fields_of(one)) for one in listed]


def list_page(
    kind: Kind[R, A], listed: Type[L], query: Dict[str, Optional[str]], retry_for: float
) -> Flow[Tuple[List[L], Optional[str]]]:
    """The records of a page, and the cursor of the next one."""
    page: Fields = fields_of((yield from read(kind.path, query, retry_for)))
    following = page.get("next")
    return _structs(listed, page.get("data")), following if isinstance(following, str) else None


def list_query(
    times: Dict[str, Optional[Time]], values: Dict[str, Optional[str]], page_size: int
) -> Dict[str, Optional[str]]:
    written = {
        name: write_time(name, time) if isinstance(time, datetime) else time for name, time in times.items()
    }
    return {**written, **values, "limit": str(page_size)}


def read_events(after: Optional[str], limit: int, wait: int, retry_for: float) -> Flow[EventPage]:
    given = {"after": after, "limit": str(limit), "wait": str(wait)}
    query = urlencode({name: value for name, value in given.items() if value is not None})
    answer = yield from ask(Call("GET", f"/v2/events?{query}", wait=wait), time.monotonic() + wait + retry_for)
    page = fields_of(answer.body)
    restart, following = page.get("restartAfter"), page.get("next")
    if answer.status == 410 and isinstance(restart, str):
        return EventPage([], restart, has_more=True, expired=True)
    if answer.status != 200:
        raise refused_as(answer)
    if not isinstance(following, str):
        raise unreadable(answer.status)
    return EventPage(_structs(Event, page.get("data")), following, has_more=page.get("hasMore") is True)


#: A gateway with too many waiting requests answers at once: it is not asked more often than this, in seconds.
_EMPTY_PAGE = 1.0


def await_events(after: Optional[str], limit: int, wait: int, retry_for: float) -> Flow[EventPage]:
    """The next page that has events or is expired."""
    while True:
        asked_at = time.monotonic()
        page = yield from read_events(after, limit, wait, retry_for)
        if page.events or page.expired:
            return page
        after = page.next
        yield Pause(max(0.0, asked_at + _EMPTY_PAGE - time.monotonic()))


def balances(country: Optional[str], retry_for: float) -> Flow[List[WalletBalance]]:
    body = yield from read("/v2/wallet-balances", {"country": country}, retry_for)
    return _structs(WalletBalance, fields_of(body).get("balances"))


def active_configuration(
    country: Optional[str], operation_type: Optional[str], retry_for: float
) -> Flow[ActiveConfiguration]:
    query = {"country": country, "operationType": operation_type}
    return ActiveConfiguration.from_json(fields_of((yield from read("/v2/active-conf", query, retry_for))))


def availability(
    country: Optional[str], operation_type: Optional[str], retry_for: float
) -> Flow[List[CountryAvailability]]:
    query = {"country": country, "operationType": operation_type}
    return _structs(CountryAvailability, (yield from read("/v2/availability", query, retry_for)))


def public_keys(retry_for: float) -> Flow[List[PublicKey]]:
    return _structs(PublicKey, (yield from read("/v2/public-key/http", {}, retry_for)))


def predict_provider(phone_number: str, retry_for: float) -> Flow[Prediction]:
    call = Call("POST", "/v2/predict-provider", {"phoneNumber": phone_number})
    answer = yield from ask(call, time.monotonic() + retry_for)
    reason = read_reason(answer.body)
    if answer.status == 400 and reason is not None:
        return NotPredicted(reason)
    if answer.status != 200:
        raise refused_as(answer)
    return PredictedProvider.from_json(fields_of(answer.body))
