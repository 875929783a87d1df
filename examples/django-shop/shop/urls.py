from django.urls import path

from . import views

urlpatterns = [
    path("orders", views.create_order),
    path("orders/<int:pk>", views.read_order),
    path("orders/<int:pk>/refund", views.refund_order),
    path("callbacks", views.receive_callback),
]
