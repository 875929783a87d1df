from django.db import migrations, models
from malipo import new_id

STATUSES = [("PENDING", "Pending"), ("PAID", "Paid"), ("FAILED", "Failed"), ("REFUNDED", "Refunded")]


class Migration(migrations.Migration):
    initial = True

    operations = [
        migrations.CreateModel(
            name="Order",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("amount", models.CharField(max_length=23)),
                ("currency", models.CharField(max_length=3)),
                ("provider", models.CharField(max_length=50)),
                ("phone_number", models.CharField(max_length=20)),
                ("status", models.CharField(choices=STATUSES, default="PENDING", max_length=10)),
                ("deposit_id", models.CharField(default=new_id, max_length=36, unique=True)),
                ("refund_id", models.CharField(max_length=36, null=True, unique=True)),
                ("failure_code", models.CharField(max_length=50, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("order", models.ForeignKey(on_delete=models.PROTECT, to="shop.order")),
            ],
        ),
    ]
