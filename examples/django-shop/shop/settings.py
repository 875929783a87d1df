"""Settings of the shop. Only what it needs; a real project has more."""

import os
from pathlib import Path

SECRET_KEY = os.environ.get("SHOP_SECRET_KEY", "for development only")
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "testserver"]
ROOT_URLCONF = "shop.urls"
INSTALLED_APPS = ["shop"]
MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": os.environ.get("SHOP_DATABASE", str(Path(__file__).parent.parent / "shop.sqlite3")),
        "OPTIONS": {"timeout": 20},
    }
}

MALIPO_URL = os.environ.get("MALIPO_URL", "http://127.0.0.1:8080")
MALIPO_TOKEN = os.environ.get("MALIPO_TOKEN", "")
# Another merchant of the gateway can use the identifiers of this shop, so callbacks are checked for it.
MALIPO_MERCHANT_ID = os.environ.get("MALIPO_MERCHANT_ID", "")
# The address at which the gateway reaches the shop, if a proxy is in between.
SHOP_URL = os.environ.get("SHOP_URL")
