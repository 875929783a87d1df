<?php

// The addresses of the shop.

declare(strict_types=1);

namespace Shop;

use Malipo\Callbacks\CallbackRefused;
use Malipo\MalipoException;

require __DIR__ . '/../shop.php';

$request = $_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);

match (true) {
    $request === 'POST /callbacks' => receiveCallback($verifier, $payments),
    $request === 'POST /orders' => takeOrder($orders, $payments),
    preg_match('#^GET /orders/([\w-]+)$#D', $request, $match) === 1 => showOrder($orders, $match[1]),
    // In a real shop only staff may do this.
    preg_match('#^POST /orders/([\w-]+)/refund$#D', $request, $match) === 1 =>
        refundOrder($orders, $payments, $match[1]),
    default => answer(404, ['error' => 'no such address']),
};

function receiveCallback(\Malipo\Callbacks\CallbackVerifier $verifier, Payments $payments): void
{
    // What fails is not acknowledged, even where PHP shows errors: the gateway tries again.
    http_response_code(503);
    try {
        $callback = $verifier->verify();
    } catch (CallbackRefused $refused) {
        answer(401, ['error' => $refused->getMessage()]);
        return;
    } catch (MalipoException $error) {
        // The keys could not be read. The gateway tries again.
        answer(503, ['error' => $error->errorCode]);
        return;
    }
    if ($callback->payment !== null) {
        $payments->settle($callback->payment);
    }
    answer(200, []);
}

function takeOrder(Orders $orders, Payments $payments): void
{
    $wanted = json_decode((string) file_get_contents('php://input'), true);
    foreach (['provider', 'phoneNumber'] as $name) {
        if (!is_string($wanted[$name] ?? null)) {
            answer(400, ['error' => "$name is missing"]);
            return;
        }
    }
    // The shop knows its price; the browser does not set it.
    $order = $orders->create('1000', 'RWF', $wanted['phoneNumber'], $wanted['provider']);
    try {
        $payments->collect($order);
    } catch (MalipoException $error) {
        // The order is stored, so check-orders.php goes on with it.
        error_log($error->getMessage());
    }
    showOrder($orders, $order['id']);
}

function refundOrder(Orders $orders, Payments $payments, string $id): void
{
    // Of two requests at the same time one starts the refund.
    if ($orders->startRefund($id)) {
        try {
            $payments->refund($orders->find($id));
        } catch (MalipoException $error) {
            error_log($error->getMessage());
        }
    }
    showOrder($orders, $id);
}

function showOrder(Orders $orders, string $id): void
{
    $order = $orders->find($id);
    if ($order === null) {
        answer(404, ['error' => 'no such order']);
        return;
    }
    answer(200, [
        'id' => $order['id'],
        'depositId' => $order['deposit_id'],
        'refundId' => $order['refund_id'],
        'status' => $order['status'],
        'failureCode' => $order['failure_code'],
        'deliveries' => $order['deliveries'],
    ]);
}

/** @param array<string, mixed> $content */
function answer(int $status, array $content): void
{
    http_response_code($status);
    header('Content-Type: application/json');
    echo json_encode($content);
}
