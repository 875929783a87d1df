<?php

// Asks the gateway for orders that have no outcome yet. Run it every minute: callbacks can be lost.

declare(strict_types=1);

namespace Shop;

use Malipo\MalipoException;

require __DIR__ . '/shop.php';

foreach ($orders->listOpen() as $order) {
    try {
        $payments->check($order);
    } catch (MalipoException $error) {
        fwrite(STDERR, "{$order['id']}: {$error->getMessage()}\n");
    }
}
