"""What the shop answers."""

import json
import logging

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST
from malipo import CallbackRefused, Deposit, MalipoError, Refund

from . import payments
from .models import Order

log = logging.getLogger(__name__)


@csrf_exempt
@require_POST
def create_order(request: HttpRequest) -> HttpResponse:
    try:
        wanted = json.loads(request.body)
        provider, phone_number = str(wanted["provider"]), str(wanted["phoneNumber"])
    except (ValueError, TypeError, KeyError):
        return HttpResponse(status=400)
    # The shop knows its price; the browser does not set it.
    order = Order.objects.create(amount="1000", currency="RWF", provider=provider, phone_number=phone_number)
    try:
        payments.start(order)
    except MalipoError as error:
        # The order is stored, so check_orders goes on with it.
        log.warning("%s", error)
    return show_order(request, order.pk)


@require_GET
def read_order(request: HttpRequest, pk: int) -> HttpResponse:
    return show_order(request, pk)


@csrf_exempt
@require_POST
def refund_order(request: HttpRequest, pk: int) -> HttpResponse:
    # A real shop asks who is signed in, here and above.
    order = get_object_or_404(Order, pk=pk)
    try:
        is_refunding = payments.refund(order)
    except MalipoError as error:
        # The refund is stored, so check_orders goes on with it.
        log.warning("%s", error)
        is_refunding = True
    return show_order(request, pk, status=200 if is_refunding else 409)


@csrf_exempt
@require_POST
def receive_callback(request: HttpRequest) -> HttpResponse:
    try:
        callback = payments.malipo.callbacks.verify(request)
    except CallbackRefused:
        return HttpResponse(status=401)
    except MalipoError:
        # The keys cannot be read now; the gateway tries again.
        return HttpResponse(status=503)
    if isinstance(callback.payment, Deposit):
        payments.settle_deposit(callback.payment)
    elif isinstance(callback.payment, Refund):
        payments.settle_refund(callback.payment)
    return HttpResponse(status=200)


def show_order(request: HttpRequest, pk: int, status: int = 200) -> HttpResponse:
    order = get_object_or_404(Order, pk=pk)
    shown = {
        "id": order.pk,
        "depositId": order.deposit_id,
        "refundId": order.refund_id,
        "status": order.status,
        "failureCode": order.failure_code,
        "deliveries": order.delivery_set.count(),
    }
    return JsonResponse(shown, status=status)
