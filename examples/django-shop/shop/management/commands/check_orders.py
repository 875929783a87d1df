from django.core.management.base import BaseCommand
from django.db.models import Q
from malipo import MalipoError

from shop import payments
from shop.models import Order


class Command(BaseCommand):
    help = "Asks the gateway for the outcome of what is not settled. Run it every few minutes."

    def handle(self, *args: object, **options: object) -> None:
        refunding = Q(status=Order.Status.PAID, refund_id__isnull=False)
        for order in Order.objects.filter(Q(status=Order.Status.PENDING) | refunding):
            try:
                payments.check(order)
            except MalipoError as error:
                self.stderr.write(f"{order.pk}: {error}")
