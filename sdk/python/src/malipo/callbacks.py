"""Verifies callbacks (webhooks): that they come from the gateway, complete and recent. The rest is in the record."""

from __future__ import annotations

import dataclasses
import json
import threading
import time
from datetime import datetime, timezone
from typing import Any, Awaitable, Callable, Dict, Literal, Mapping, Optional, Sequence, Union, cast

import anyio

from ._kind import BY_IDENTIFIER
from ._received import AnyRequest, BlockingRequest, ReceivedCallback, header_map, received, received_async
from ._received_signature import check_signature, read_signature
from ._signature_base import Signable
from ._struct import Unambiguous
from .errors import CallbackRefused
from .schema import Checkout, Deposit, Payout, PublicKey, Refund, Remittance, SplitPayment, Statement

CallbackKind = Literal[
    "deposit", "payout", "refund", "remittance", "splitPayment", "checkout", "statement", "other"
]


class OtherRecord(Dict[str, Any]):
    """Something else: a test message of the dashboard, or a payment of API v1."""


AnyRecord = Union[Deposit, Payout, Refund, Remittance, SplitPayment, Checkout, Statement, OtherRecord]


@dataclasses.dataclass(frozen=True)
class Callback(Unambiguous):
    """A genuine callback. ``isinstance(callback.payment, Deposit)`` tells its kind, and so does ``kind``."""

    kind: CallbackKind
    #: The identifier of the payment; None for another kind.
    id: Optional[str]
    payment: AnyRecord
    #: The same for every attempt of one announcement. It is not signed: use it only to recognise repeats.
    event_id: Optional[str]


#: The maximum age of a signature, in seconds. Every attempt is signed again.
AGE_MAX = 300.0


def verify_callback(
    request: ReceivedCallback,
    keys: Sequence[PublicKey],
    *,
    now: Optional[datetime] = None,
    age_max: float = AGE_MAX,
    merchant_id: Optional[str] = None,
) -> Callback:
    """Verifies one callback with keys that you have; raises CallbackRefused.

    ``now`` is when it was received; set it to verify a stored callback again. ``merchant_id`` is your merchant ID,
    which the dashboard shows under Callback addresses; without it a genuine callback about another merchant's payment
    is accepted too.
    """
    body = request.body.encode() if isinstance(request.body, str) else bytes(request.body)
    headers = header_map(request.headers)
    signable = Signable(request.method, request.url, headers)
    try:
        check_signature(signable, body, keys, now or datetime.now(timezone.utc), age_max, merchant_id)
    except ValueError as error:
        raise CallbackRefused("SIGNATURE", "the address of the request cannot be read") from error
    return _read_callback(body, headers.get("malipo-event-id"))


def _read_callback(body: bytes, event_id: Optional[str]) -> Callback:
    record = _parse(body)
    kind = next((one for one in BY_IDENTIFIER if isinstance(record.get(one.id_name), str)), None)
    if kind is None or "correspondent" in record:
        return Callback("other", None, OtherRecord(record), event_id)
    payment = cast(AnyRecord, kind.record.from_json(record))
    return Callback(cast(CallbackKind, kind.name), str(record[kind.id_name]), payment, event_id)


def _parse(body: bytes) -> Mapping[str, Any]:
    try:
        read = json.loads(body)
    except ValueError:
        read = None
    return read if isinstance(read, dict) else {}


_DAY = 86_400.0
#: After a failed read of the keys, the next callback may try soon.
_RETRY_AFTER = 0.5


class _Keys:
    """The keys that are known, and when to read them again: for an unknown key, and once a day, but not for every
    stranger's request. Keys that are no longer published are dropped.
    """

    def __init__(self, reread_after: float) -> None:
        self.known: Sequence[PublicKey] = []
        self._reread_after = reread_after
        self._read_at = float("-inf")
        self._wait_until = float("-inf")
        self._failure: Optional[Exception] = None

    def is_current(self, key_id: object) -> bool:
        return self._knows(key_id) and time.monotonic() - self._read_at < _DAY

    def should_read(self, key_id: object) -> bool:
        return time.monotonic() >= self._wait_until and not self.is_current(key_id)

    def keep(self, keys: Sequence[PublicKey]) -> None:
        self.known = keys
        self._failure = None
        self._read_at = time.monotonic()
        self._wait_until = self._read_at + self._reread_after

    def fail(self, error: Exception) -> None:
        self._failure = error
        self._wait_until = time.monotonic() + _RETRY_AFTER

    def require(self, key_id: object) -> None:
        """A key that was valid a day ago probably still is; an unknown key may be anything."""
        if self._failure is not None and not self._knows(key_id):
            raise self._failure

    def _knows(self, key_id: object) -> bool:
        return any(key.id == key_id for key in self.known)


def _key_id(request: ReceivedCallback) -> object:
    return read_signature(header_map(request.headers)).input.parameters.get("keyid")


def _now() -> datetime:
    return datetime.now(timezone.utc)


class CallbackVerifier:
    """Verifies callbacks in requests of Django and Flask, and keeps the keys. ``Malipo.callbacks`` is one.

    :param read_keys: usually ``malipo.public_keys.list``
    :param merchant_id: your merchant ID, which the dashboard shows under Callback addresses; without it a genuine
        callback about another merchant's payment is accepted too
    :param public_url: the address at which the gateway reaches you, if a proxy is in between
    :param reread_after: the minimum time between two reads of the keys because of an unknown key, in seconds
    :param clock: the time; the clock of a sandbox may have been moved
    """

    def __init__(
        self,
        read_keys: Callable[[], Sequence[PublicKey]],
        *,
        merchant_id: Optional[str] = None,
        public_url: Optional[str] = None,
        age_max: float = AGE_MAX,
        reread_after: float = 10.0,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self._read_keys = read_keys
        self._merchant_id = merchant_id
        self._public_url = public_url
        self._age_max = age_max
        self._clock = clock
        self._keys = _Keys(reread_after)
        self._lock = threading.Lock()

    def verify(self, request: BlockingRequest) -> Callback:
        """Raises CallbackRefused: answer 401. Raises another MalipoError when the keys cannot be read: answer 503, and
        the gateway tries again.
        """
        callback = received(request, self._public_url)
        key_id = _key_id(callback)
        if not self._keys.is_current(key_id):
            # Callbacks with a new key that arrive while the keys are being read wait for them.
            with self._lock:
                if self._keys.should_read(key_id):
                    try:
                        self._keys.keep(self._read_keys())
                    except Exception as error:
                        self._keys.fail(error)
            self._keys.require(key_id)
        return verify_callback(
            callback, self._keys.known, now=self._clock(), age_max=self._age_max, merchant_id=self._merchant_id
        )


class AsyncCallbackVerifier:
    """The same with asynchronous calls, also for requests of FastAPI and Starlette."""

    def __init__(
        self,
        read_keys: Callable[[], Awaitable[Sequence[PublicKey]]],
        *,
        merchant_id: Optional[str] = None,
        public_url: Optional[str] = None,
        age_max: float = AGE_MAX,
        reread_after: float = 10.0,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self._read_keys = read_keys
        self._merchant_id = merchant_id
        self._public_url = public_url
        self._age_max = age_max
        self._clock = clock
        self._keys = _Keys(reread_after)
        self._lock = anyio.Lock()

    async def verify(self, request: AnyRequest) -> Callback:
        """Raises CallbackRefused: answer 401. Raises another MalipoError when the keys cannot be read: answer 503, and
        the gateway tries again.
        """
        callback = await received_async(request, self._public_url)
        key_id = _key_id(callback)
        if not self._keys.is_current(key_id):
            async with self._lock:
                if self._keys.should_read(key_id):
                    try:
                        self._keys.keep(await self._read_keys())
                    except Exception as error:
                        self._keys.fail(error)
            self._keys.require(key_id)
        return verify_callback(
            callback, self._keys.known, now=self._clock(), age_max=self._age_max, merchant_id=self._merchant_id
        )
