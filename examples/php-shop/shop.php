<?php

// Puts the parts together.

declare(strict_types=1);

namespace Shop;

use Malipo\Callbacks\CallbackVerifier;
use Malipo\Callbacks\FileKeyCache;
use Malipo\Malipo;

// With Composer: require __DIR__ . '/vendor/autoload.php';
require __DIR__ . '/../../sdk/php/src/autoload.php';
require __DIR__ . '/Orders.php';
require __DIR__ . '/Payments.php';

$database = (string) getenv('SHOP_DATABASE');
$malipo = new Malipo(
    baseUrl: (string) getenv('MALIPO_URL'),
    token: (string) getenv('MALIPO_TOKEN'),
    // A customer does not wait longer, and check-orders.php goes on.
    retryForMs: 5_000,
);
$orders = new Orders(new \PDO("sqlite:$database"));
$payments = new Payments($malipo, $orders);
$verifier = new CallbackVerifier(
    $malipo->publicKeys->list(...),
    url: (string) getenv('SHOP_URL'),
    cache: new FileKeyCache("$database.keys.json"),
    // Another merchant of the gateway can use the identifiers of this shop.
    merchantId: (string) getenv('MALIPO_MERCHANT_ID'),
);
