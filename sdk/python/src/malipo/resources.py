"""What can be done with each resource, with blocking calls. `async_resources.py` has the same for asynchronous ones."""

from __future__ import annotations

import time
from typing import Generic, Iterator, List, Optional, Sequence, Type, TypeVar, Union

from . import _calls
from ._calls import L
from ._kind import A, CHECKOUT, DEPOSIT, Kind, PAYOUT, R, REFUND, REMITTANCE, SPLIT_PAYMENT, STATEMENT
from ._runners import Runner
from ._struct import Struct, Time
from .outcome import Acted, Accepted, AcceptedCheckout, AcceptedDeposit, AcceptedPage, AcceptedStatement, EventPage
from .outcome import Prediction, Rejected, RejectedStatement, Started, Still, Unknown
from .schema import ActiveConfiguration, Checkout, CheckoutRequest, CountryAvailability, Deposit, DepositRequest
from .schema import ListedRemittance, OperationType, PaymentPageRequest, Payout, PayoutRequest, PublicKey, Refund
from .schema import RefundRequest, Remittance, RemittanceRequest, SplitPayment, SplitPaymentRequest, Statement
from .schema import StatementRequest, WalletBalance

Q = TypeVar("Q", bound=Struct)


class Inquiries(Generic[R, A]):
    """What can be read."""

    def __init__(self, runner: Runner, kind: Kind[R, A]) -> None:
        self._runner = runner
        self._kind = kind

    def get(self, id: str) -> Optional[R]:
        """Asks for one. None: the gateway does not have it. Otherwise its outcome is its ``status``."""
        return self._runner.run(_calls.get(self._kind, id, time.monotonic() + self._runner.retry_for))

    def wait_for_final(self, id: str, timeout: float = 120.0) -> Union[R, Still]:
        """Asks until it is final or ``timeout`` seconds are over; then it returns the current status.

        The default is the usual time a payer has for the PIN.
        """
        return self._runner.run(_calls.wait_for_final(self._kind, id, timeout))


class Resource(Inquiries[R, A], Generic[Q, R, A]):
    """What can be created."""

    def create(self, request: Q) -> Started[A]:
        """Creates one. The request has its identifier already: keep it before you call this.

        Check ``outcome``: an accepted payment is not yet a paid one. To send the same request again is safe.
        """
        return self._runner.run(_calls.create(self._kind, request, self._runner.retry_for))


class AnnouncedResource(Resource[Q, R, A], Generic[Q, R, A, L]):
    """Payments with a callback that can be resent, and that can be listed."""

    def __init__(self, runner: Runner, kind: Kind[R, A], listed: Type[L]) -> None:
        super().__init__(runner, kind)
        self._listed = listed

    def list(
        self,
        *,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        client_reference_id: Optional[str] = None,
        metadata: Optional[str] = None,
        phone_number: Optional[str] = None,
        status: Optional[str] = None,
        provider: Optional[str] = None,
        page_size: int = 50,
    ) -> Iterator[L]:
        """Lists payments, the newest first. Pages are read as the loop needs them.

        Give at most one of client reference, metadata and phone number, each as a whole value. Without the scope
        personal-data:read, personal data is masked, and a phone number cannot be searched for.

        :param from_: accepted at this time or later
        :param to: accepted before this time; a date without a time means the whole day
        :param page_size: how many are read at a time, 1 to 100
        """
        values = {"clientReferenceId": client_reference_id, "metadata": metadata, "phoneNumber": phone_number}
        values.update(status=status, provider=provider)
        query = _calls.list_query({"from": from_, "to": to}, values, page_size)
        is_last = False
        while not is_last:
            page = _calls.list_page(self._kind, self._listed, query, self._runner.retry_for)
            records, query["cursor"] = self._runner.run(page)
            for record in records:
                yield record
            is_last = query["cursor"] is None

    def resend_callback(self, id: str) -> Acted:
        """Resends the callback of a final payment."""
        return self._runner.run(_calls.resend_callback(self._kind, id))


class CancellableResource(AnnouncedResource[Q, R, A, L], Generic[Q, R, A, L]):
    """Payments that may wait for their provider."""

    def cancel(self, id: str) -> Acted:
        """Cancels one that is ENQUEUED. Otherwise it is rejected, because it may already be sent."""
        return self._runner.run(_calls.cancel(self._kind, id))


class ListedResource(CancellableResource[Q, R, A, L], Generic[Q, R, A, L]):
    """Payments that can be created in lists."""

    def create_many(self, requests: Sequence[Q]) -> List[Started[A]]:
        """Creates any number of them, twenty per call. The outcomes are in the same order.

        If one of twenty does not fit its schema, these twenty are rejected.
        """
        return self._runner.run(_calls.create_many(self._kind, requests, self._runner.retry_for))


class Deposits(AnnouncedResource[DepositRequest, Deposit, AcceptedDeposit, Deposit]):
    def __init__(self, runner: Runner) -> None:
        super().__init__(runner, DEPOSIT, Deposit)


class Payouts(ListedResource[PayoutRequest, Payout, Accepted, Payout]):
    def __init__(self, runner: Runner) -> None:
        super().__init__(runner, PAYOUT, Payout)


class Refunds(CancellableResource[RefundRequest, Refund, Accepted, Refund]):
    def __init__(self, runner: Runner) -> None:
        super().__init__(runner, REFUND, Refund)


class Remittances(ListedResource[RemittanceRequest, Remittance, Accepted, ListedRemittance]):
    """Payouts that say who sends the money, and why."""

    def __init__(self, runner: Runner) -> None:
        super().__init__(runner, REMITTANCE, ListedRemittance)


class SplitPayments(Resource[SplitPaymentRequest, SplitPayment, AcceptedDeposit]):
    """One payment that is shared out. The shares are payouts, and have identifiers of their own."""

    def __init__(self, runner: Runner) -> None:
        super().__init__(runner, SPLIT_PAYMENT)


class Checkouts(Resource[CheckoutRequest, Checkout, AcceptedCheckout]):
    """Hosted sessions in which a customer may try several times and pay once."""

    def __init__(self, runner: Runner) -> None:
        super().__init__(runner, CHECKOUT)

    def expire(self, id: str) -> Acted:
        """Ends a checkout that no one is paying right now."""
        return self._runner.run(_calls.expire(self._kind, id))


class PaymentPages:
    """Addresses of the hosted payment page."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def create(self, request: PaymentPageRequest) -> Union[AcceptedPage, Rejected, Unknown]:
        """Creates an address for the customer, valid for 15 minutes. ``deposits`` has the outcome."""
        return self._runner.run(_calls.open_page(request, self._runner.retry_for))


class Statements(Inquiries[Statement, Accepted]):
    """Statements of a wallet."""

    def __init__(self, runner: Runner) -> None:
        super().__init__(runner, STATEMENT)

    def create(self, request: StatementRequest) -> Union[AcceptedStatement, RejectedStatement]:
        """Asks for a statement, which is made within minutes. Raises when the gateway cannot be reached."""
        return self._runner.run(_calls.request_statement(request, self._runner.retry_for))


class Events:
    """Every new status and every movement of your wallets, the oldest first, numbered without gaps."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def read(self, *, after: Optional[str] = None, limit: int = 50, wait: int = 0) -> EventPage:
        """Reads one page. Store its ``next`` when you have processed it, and go on with that.

        Every event comes at least once. One that you read again has the same ``event_id``.

        :param after: ``next`` of the page before; None begins with the oldest event, "latest" with the next one
        :param limit: how many events a page has at most, 1 to 100
        :param wait: how many seconds the gateway may wait for an event if there is none, 0 to 25
        """
        return self._runner.run(_calls.read_events(after, limit, wait, self._runner.retry_for))

    def follow(self, *, after: Optional[str] = None, limit: int = 50, wait: int = 20) -> Iterator[EventPage]:
        """Goes on reading pages until you leave the loop, and waits where there are no events.

        Pages without events are passed over, unless they are ``expired``. It raises when the gateway cannot be reached
        for ``retry_for`` seconds: follow again from the cursor that you stored.

        :param after: the cursor that you stored; None begins with the oldest event, "latest" with the next one
        :param limit: how many events a page has at most, 1 to 100
        :param wait: how many seconds the gateway may wait for an event, 0 to 25
        """
        while True:
            page = self._runner.run(_calls.await_events(after, limit, wait, self._runner.retry_for))
            yield page
            after = page.next


class Wallets:
    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def balances(self, country: Optional[str] = None) -> List[WalletBalance]:
        """What is available in each wallet."""
        return self._runner.run(_calls.balances(country, self._runner.retry_for))


class Toolkit:
    """What is read before paying."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def active_configuration(
        self, country: Optional[str] = None, operation_type: Optional[OperationType] = None
    ) -> ActiveConfiguration:
        """What your account may do: countries, providers, currencies, limits."""
        return self._runner.run(_calls.active_configuration(country, operation_type, self._runner.retry_for))

    def availability(
        self, country: Optional[str] = None, operation_type: Optional[OperationType] = None
    ) -> List[CountryAvailability]:
        """Which providers work right now."""
        return self._runner.run(_calls.availability(country, operation_type, self._runner.retry_for))

    def predict_provider(self, phone_number: str) -> Prediction:
        """Tidies a phone number and says which provider it most probably belongs to."""
        return self._runner.run(_calls.predict_provider(phone_number, self._runner.retry_for))


class PublicKeys:
    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def list(self) -> List[PublicKey]:
        """The keys that verify callbacks. ``Malipo.callbacks`` reads and keeps them by itself."""
        return self._runner.run(_calls.public_keys(self._runner.retry_for))
