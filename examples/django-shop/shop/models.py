"""Orders and what was delivered for them."""

from django.db import models
from malipo import new_id


class Order(models.Model):
    class Status(models.TextChoices):
        PENDING = "PENDING"
        PAID = "PAID"
        FAILED = "FAILED"
        REFUNDED = "REFUNDED"

    amount = models.CharField(max_length=23)
    currency = models.CharField(max_length=3)
    provider = models.CharField(max_length=50)
    phone_number = models.CharField(max_length=20)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PENDING)
    #: Made with the order, so it is stored before the request is sent.
    deposit_id = models.CharField(max_length=36, unique=True, default=new_id)
    #: Made when a refund is wanted, and stored before that request is sent.
    refund_id = models.CharField(max_length=36, unique=True, null=True)
    failure_code = models.CharField(max_length=50, null=True)
    created_at = models.DateTimeField(auto_now_add=True)


class Delivery(models.Model):
    """What must happen once for an order that is paid."""

    order = models.ForeignKey(Order, on_delete=models.PROTECT)
