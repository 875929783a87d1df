"""One request and its result. Only a complete answer of the gateway counts; everything else is trouble, and the caller
must find out what the request did.
"""

from __future__ import annotations

import dataclasses
import json
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Literal, Mapping, Optional, Union

import httpx

from .errors import MalipoError, misuse
from .signing import RequestSigner, Signing


@dataclasses.dataclass(frozen=True)
class Call:
    method: Literal["GET", "POST"]
    path: str
    body: Any = None
    #: Whether it starts a payment or opens a payment page: only such requests are signed.
    is_initiation: bool = False
    #: In seconds; default: that of the client.
    timeout: Optional[float] = None
    #: How many seconds the gateway may wait before it answers. The time-out begins after that.
    wait: float = 0.0


@dataclasses.dataclass(frozen=True)
class Answered:
    status: int
    #: An object or an array.
    body: Any


@dataclasses.dataclass(frozen=True)
class Trouble:
    cause: MalipoError
    #: How long the gateway asks to wait.
    retry_after: float = 0.0
    #: Whether the gateway may have done what was asked. It has not where it was asked too often.
    is_unclear: bool = True


Answer = Union[Answered, Trouble]


class Exchange:
    """What a request to the gateway looks like, and what its answer means."""

    def __init__(self, base_url: str, token: str, signing: Optional[Signing], timeout: float) -> None:
        require_usable(base_url, token)
        self._base_url = base_url.rstrip("/")
        self._token = token
        self._signer = None if signing is None else RequestSigner(signing)
        self.timeout = timeout

    def timeout_of(self, call: Call) -> float:
        return (self.timeout if call.timeout is None else min(self.timeout, call.timeout)) + call.wait

    def request(self, call: Call) -> httpx.Request:
        url = self._base_url + call.path
        timeout = httpx.Timeout(self.timeout_of(call)).as_dict()
        authorization = {"authorization": f"Bearer {self._token}", "user-agent": "malipo-python"}
        if call.body is None:
            return httpx.Request(call.method, url, headers=authorization, extensions={"timeout": timeout})
        content = write_body(call.body)
        headers: Dict[str, str] = {"content-type": "application/json"}
        if call.is_initiation and self._signer is not None:
            headers.update(self._signer.sign(url, headers, content))
        headers.update(authorization)
        return httpx.Request(call.method, url, headers=headers, content=content, extensions={"timeout": timeout})

    def no_answer(self, call: Call, error: Exception) -> Trouble:
        is_late = isinstance(error, (httpx.TimeoutException, TimeoutError))
        cause = _too_late(self.timeout_of(call)) if is_late else _no_connection()
        cause.__cause__ = error
        return Trouble(cause)


def write_body(body: object) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def require_usable(base_url: str, token: str) -> None:
    """Every attempt would fail, so it is not a network problem."""
    try:
        url = httpx.URL(base_url)
    except (httpx.InvalidURL, TypeError):
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or url.host == "":
        raise misuse("base_url is not an address.", "Give the gateway's, with https:// or http:// and without /v2.")
    if token == "" or not all("!" <= character <= "~" for character in token):
        raise misuse("token is not an API token.", "Give the token as it was issued, without spaces around it.")


def read_answer(status: int, headers: Mapping[str, str], content: bytes) -> Answer:
    retry_after = _read_retry_after(headers.get("retry-after"))
    if status == 429:
        return Trouble(_too_often(), retry_after, is_unclear=False)
    if status >= 500:
        return Trouble(_gateway_failed(status), retry_after)
    try:
        body = json.loads(content)
    except ValueError:
        body = None
    return Answered(status, body) if isinstance(body, (dict, list)) else Trouble(unreadable(status))


def _read_retry_after(text: Optional[str]) -> float:
    """Seconds or a date, as RFC 9110 has it."""
    if text is None:
        return 0.0
    if text.isdecimal():
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return 0.0
    # A date without a zone is in UTC.
    at = at if at.tzinfo is not None else at.replace(tzinfo=timezone.utc)
    return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())


_ASK_LATER = "Ask for the status later, or send the same request again; never one with a new identifier."


def interrupted(cause: Exception) -> MalipoError:
    """For what is left of a list."""
    message = "Something failed in the middle of the list, such as the journal."
    error = MalipoError("INTERRUPTED", message, f"Fix the cause. {_ASK_LATER}")
    error.__cause__ = cause
    return error


def _no_connection() -> MalipoError:
    message = "The connection to the gateway failed before its answer was complete."
    return MalipoError("NETWORK", message, f"Check base_url and the network. {_ASK_LATER}")


def _too_late(timeout: float) -> MalipoError:
    return MalipoError("TIMEOUT", f"The gateway did not answer within {timeout:g} seconds.", _ASK_LATER)


def _gateway_failed(status: int) -> MalipoError:
    message = f"The gateway, or something before it, answered HTTP {status}."
    return MalipoError("UNAVAILABLE", message, _ASK_LATER, status)


def _too_often() -> MalipoError:
    return MalipoError("RATE_LIMITED", "The gateway is asked too often.", "Send fewer requests at a time.", 429)


def unreadable(status: int) -> MalipoError:
    message = f"An answer of HTTP {status} is not the gateway's."
    what_to_do = f"Check that base_url is that of the gateway, without /v2. {_ASK_LATER}"
    return MalipoError("UNREADABLE_ANSWER", message, what_to_do, status)
