"""The clients of one gateway and one account."""

from __future__ import annotations

from types import TracebackType
from typing import Optional, Sequence, Type, TypeVar, Union

import httpx

from . import async_resources, resources
from ._exchange import Exchange
from ._runners import AsyncRunner, Runner
from .callbacks import AsyncCallbackVerifier, CallbackVerifier
from .journal import AsyncJournal, Journal, JournalEntry, MemoryJournal
from .signing import Signing

#: Ten times a slow answer; after that it is better to ask for the outcome.
TIMEOUT = 30.0
RETRY_FOR = 60.0

M = TypeVar("M", bound="Malipo")
N = TypeVar("N", bound="AsyncMalipo")


#: As many connections as requests at a time: httpx can lose one for which a request waited until its time was over.
_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=20)


class Malipo:
    """The client of one gateway and one account. Make one per process; it can be used by many threads.

    :param base_url: the address of the gateway, without /v2
    :param token: an API token
    :param merchant_id: your merchant ID, which the dashboard shows under Callback addresses; without it a genuine
        callback about another merchant's payment is accepted too
    :param public_url: the address at which the gateway reaches you, for callbacks behind a proxy; default: the address
        that a request names itself
    :param journal: stores identifiers before sending; default: in memory
    :param signing: for accounts that require signed requests
    :param timeout: of one request, in seconds
    :param retry_for: how long to ask and send again after a problem, in seconds
    :param http_client: your own, for a proxy or a trace; you close it
    """

    def __init__(
        self,
        *,
        base_url: str,
        token: str,
        merchant_id: Optional[str] = None,
        public_url: Optional[str] = None,
        journal: Optional[Journal] = None,
        signing: Optional[Signing] = None,
        timeout: float = TIMEOUT,
        retry_for: float = RETRY_FOR,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        exchange = Exchange(base_url, token, signing, timeout)
        self._client = httpx.Client(limits=_LIMITS) if http_client is None else http_client
        self._is_own_client = http_client is None
        self._journal: Journal = MemoryJournal() if journal is None else journal
        runner = Runner(exchange, self._client, self._journal, retry_for)
        self.deposits = resources.Deposits(runner)
        self.payouts = resources.Payouts(runner)
        self.refunds = resources.Refunds(runner)
        self.remittances = resources.Remittances(runner)
        self.split_payments = resources.SplitPayments(runner)
        self.checkouts = resources.Checkouts(runner)
        self.payment_pages = resources.PaymentPages(runner)
        self.statements = resources.Statements(runner)
        self.events = resources.Events(runner)
        self.wallets = resources.Wallets(runner)
        self.toolkit = resources.Toolkit(runner)
        self.public_keys = resources.PublicKeys(runner)
        #: Verifies callbacks, and keeps the keys for it.
        self.callbacks = CallbackVerifier(self.public_keys.list, merchant_id=merchant_id, public_url=public_url)

    def unsettled(self) -> Sequence[JournalEntry]:
        """Requests in the journal whose outcome is not known. Ask for each before you send another."""
        return self._journal.unsettled()

    def close(self) -> None:
        if self._is_own_client:
            self._client.close()

    def __enter__(self: M) -> M:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


class AsyncMalipo:
    """The same client with asynchronous calls, for asyncio and trio."""

    def __init__(
        self,
        *,
        base_url: str,
        token: str,
        merchant_id: Optional[str] = None,
        public_url: Optional[str] = None,
        journal: Union[Journal, AsyncJournal, None] = None,
        signing: Optional[Signing] = None,
        timeout: float = TIMEOUT,
        retry_for: float = RETRY_FOR,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        exchange = Exchange(base_url, token, signing, timeout)
        self._client = httpx.AsyncClient(limits=_LIMITS) if http_client is None else http_client
        self._is_own_client = http_client is None
        runner = AsyncRunner(exchange, self._client, MemoryJournal() if journal is None else journal, retry_for)
        self._runner = runner
        self.deposits = async_resources.AsyncDeposits(runner)
        self.payouts = async_resources.AsyncPayouts(runner)
        self.refunds = async_resources.AsyncRefunds(runner)
        self.remittances = async_resources.AsyncRemittances(runner)
        self.split_payments = async_resources.AsyncSplitPayments(runner)
        self.checkouts = async_resources.AsyncCheckouts(runner)
        self.payment_pages = async_resources.AsyncPaymentPages(runner)
        self.statements = async_resources.AsyncStatements(runner)
        self.events = async_resources.AsyncEvents(runner)
        self.wallets = async_resources.AsyncWallets(runner)
        self.toolkit = async_resources.AsyncToolkit(runner)
        self.public_keys = async_resources.AsyncPublicKeys(runner)
        self.callbacks = AsyncCallbackVerifier(self.public_keys.list, merchant_id=merchant_id, public_url=public_url)

    async def unsettled(self) -> Sequence[JournalEntry]:
        """Requests in the journal whose outcome is not known. Ask for each before you send another."""
        return await self._runner.unsettled()

    async def close(self) -> None:
        if self._is_own_client:
            await self._client.aclose()

    async def __aenter__(self: N) -> N:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()
