"""Everything the shop has to do with payments. A status check and a callback end in the same two functions, so an order
is settled once, in whichever way the news comes.
"""

from typing import Optional

from django.conf import settings
from django.db import transaction
from malipo import Deposit, DepositRequest, FailureReason, Malipo, Refund, RefundRequest, Rejected
from malipo import mobile_money, new_id

from .models import Delivery, Order

malipo = Malipo(
    base_url=settings.MALIPO_URL,
    token=settings.MALIPO_TOKEN,
    merchant_id=settings.MALIPO_MERCHANT_ID,
    public_url=settings.SHOP_URL,
    retry_for=5,
)


def start(order: Order) -> None:
    """Asks the payer for the money. It can be called again: the order's identifier makes it one payment."""
    request = DepositRequest(
        deposit_id=order.deposit_id,
        amount=order.amount,
        currency=order.currency,
        payer=mobile_money(order.provider, order.phone_number),
        client_reference_id=f"order-{order.pk}",
    )
    started = malipo.deposits.create(request)
    if isinstance(started, Rejected):
        mark_failed(order.deposit_id, started.failure_reason)
    # Accepted or unknown: the callback or a later check tells the outcome.


def settle_deposit(deposit: Deposit) -> None:
    """What a final deposit means for its order. The condition on the status lets it happen once."""
    if deposit.failed:
        mark_failed(deposit.deposit_id, deposit.failure_reason)
    if not deposit.paid:
        return
    with transaction.atomic():
        # Only the order's own amount pays it. A deposit that was sent twice at the same moment can be rejected once and
        # accepted once, so a FAILED order can be paid too.
        paid = Order.objects.filter(
            deposit_id=deposit.deposit_id,
            status__in=[Order.Status.PENDING, Order.Status.FAILED],
            amount=deposit.amount,
            currency=deposit.currency,
        )
        if paid.update(status=Order.Status.PAID, failure_code=None) == 1:
            Delivery.objects.create(order=Order.objects.get(deposit_id=deposit.deposit_id))


def mark_failed(deposit_id: str, reason: Optional[FailureReason]) -> None:
    code = None if reason is None else reason.failure_code
    pending = Order.objects.filter(deposit_id=deposit_id, status=Order.Status.PENDING)
    pending.update(status=Order.Status.FAILED, failure_code=code)


def refund(order: Order) -> bool:
    """Returns the money: whether a refund of the order was started, and may be completed. The identifier is stored
    first, and a second call sends the same refund.
    """
    Order.objects.filter(pk=order.pk, status=Order.Status.PAID, refund_id=None).update(refund_id=new_id())
    order.refresh_from_db()
    if order.refund_id is None:
        return False
    started = malipo.refunds.create(RefundRequest(refund_id=order.refund_id, deposit_id=order.deposit_id))
    if isinstance(started, Rejected):
        forget_refund(order.refund_id)
    return not isinstance(started, Rejected)


def settle_refund(refund: Refund) -> None:
    if refund.paid:
        Order.objects.filter(refund_id=refund.refund_id).update(status=Order.Status.REFUNDED)
    elif refund.failed:
        forget_refund(refund.refund_id)


def forget_refund(refund_id: str) -> None:
    """It is certain that this refund does not happen, so another may be tried."""
    Order.objects.filter(refund_id=refund_id, status=Order.Status.PAID).update(refund_id=None)


def check(order: Order) -> None:
    """Asks for the outcome, for callbacks that never come. What the gateway does not have is sent again."""
    if order.status == Order.Status.PENDING:
        deposit = malipo.deposits.get(order.deposit_id)
        start(order) if deposit is None else settle_deposit(deposit)
    elif order.refund_id is not None:
        found = malipo.refunds.get(order.refund_id)
        refund(order) if found is None else settle_refund(found)
