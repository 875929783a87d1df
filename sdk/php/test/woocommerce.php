<?php

// What the example for WooCommerce uses of WordPress and WooCommerce, in memory: none of them is installed for tests.

declare(strict_types=1);

use Malipo\Malipo;

const MINUTE_IN_SECONDS = 60;
const DAY_IN_SECONDS = 86_400;
const MALIPO_URL = 'https://gateway.test';
const MALIPO_TOKEN = 'test';
const MALIPO_MERCHANT_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
define('MALIPO_KEY_FILE', sys_get_temp_dir() . '/' . Malipo::newId());

abstract class WC_Payment_Gateway
{
    public string $id = '';
    public string $method_title = '';
    /** @var list<string> */
    public array $supports = [];

    public function init_settings(): void
    {
    }
}

final class WP_Error
{
    public function __construct(public readonly string $code, private readonly string $message)
    {
    }

    public function get_error_message(): string
    {
        return $this->message;
    }
}

final class WC_Order
{
    /** @var array<int, self> */
    public static array $all = [];
    /** @var array<string, mixed> */
    public array $meta = [];
    /** @var list<string> */
    public array $notes = [];
    /** @var list<string> The amounts that were refunded. */
    public array $refunds = [];
    /** How often it was delivered. */
    public int $deliveries = 0;
    public string $status = 'pending';
    private string $transactionId = '';

    public function __construct(private readonly int $id, private readonly string $total)
    {
        self::$all[$id] = $this;
    }

    public function get_id(): int
    {
        return $this->id;
    }

    public function get_total(): string
    {
        return $this->total;
    }

    public function get_currency(): string
    {
        return 'RWF';
    }

    public function get_checkout_order_received_url(): string
    {
        return "https://shop.example/order/$this->id";
    }

    public function get_meta(string $key): mixed
    {
        return $this->meta[$key] ?? '';
    }

    public function update_meta_data(string $key, mixed $value): void
    {
        $this->meta[$key] = $value;
    }

    public function delete_meta_data(string $key): void
    {
        unset($this->meta[$key]);
    }

    public function save(): void
    {
    }

    public function get_transaction_id(): string
    {
        return $this->transactionId;
    }

    public function set_transaction_id(string $transactionId): void
    {
        $this->transactionId = $transactionId;
    }

    /** @param list<string> $statuses */
    public function has_status(array $statuses): bool
    {
        return in_array($this->status, $statuses, true);
    }

    public function needs_payment(): bool
    {
        return $this->has_status(['pending', 'failed']);
    }

    public function payment_complete(string $transactionId): void
    {
        $this->transactionId = $transactionId;
        $this->status = 'processing';
        $this->deliveries++;
    }

    public function update_status(string $status, string $note): void
    {
        $this->status = $status;
        $this->notes[] = $note;
    }

    public function add_order_note(string $note): void
    {
        $this->notes[] = $note;
    }
}

function wc_get_order(int $id): WC_Order
{
    return WC_Order::$all[$id];
}

/**
 * @param array<string, mixed> $query
 * @return list<int>
 */
function wc_get_orders(array $query): array
{
    $isWanted = static fn (WC_Order $order) => isset($order->meta[$query['meta_key']])
        && $order->meta[$query['meta_key']] === ($query['meta_value'] ?? $order->meta[$query['meta_key']])
        && $order->has_status($query['status'] ?? [$order->status]);
    return array_keys(array_filter(WC_Order::$all, $isWanted));
}

/** @param array<string, mixed> $facts */
function wc_create_refund(array $facts): WC_Order|WP_Error
{
    $order = wc_get_order($facts['order_id']);
    if (array_sum($order->refunds) + $facts['amount'] > $order->get_total()) {
        return new WP_Error('error', 'Invalid refund amount.');
    }
    $order->refunds[] = $facts['amount'];
    return $order;
}

function is_wp_error(mixed $thing): bool
{
    return $thing instanceof WP_Error;
}

function wc_format_decimal(string|float $amount, int $decimals): string
{
    return number_format((float) $amount, $decimals, '.', '');
}

function wc_get_price_decimals(): int
{
    return 0;
}

function wc_add_notice(string $message, string $type): void
{
}

function add_action(string $name, callable $action): void
{
    $GLOBALS['actions'][$name] = $action;
}

function add_filter(string $name, callable $filter): void
{
    $GLOBALS['filters'][$name] = $filter;
}

function as_has_scheduled_action(string $hook): bool
{
    return true;
}

function as_schedule_recurring_action(int $timestamp, int $seconds, string $hook): void
{
}

function home_url(string $path): string
{
    return "https://shop.example$path";
}

function status_header(int $code): void
{
}

/** What `wp_die` ends the request with: its code is the status. */
final class WP_Die extends Exception
{
}

/** @param array<string, int> $options */
function wp_die(string $message, string $title, array $options): never
{
    throw new WP_Die($message, $options['response']);
}

/** What WordPress does to $_SERVER before the actions of `init`. */
function add_magic_quotes(array $values): array
{
    array_walk_recursive($values, static fn (mixed &$value) => is_string($value) && $value = addslashes($value));
    return $values;
}

function wp_unslash(array $values): array
{
    array_walk_recursive($values, static fn (mixed &$value) => is_string($value) && $value = stripslashes($value));
    return $values;
}

/** `php://input`: only a web server has the body of a request. */
final class PhpInput
{
    public static string $body = '';
    public mixed $context = null;
    private string $rest = '';

    public function stream_open(): bool
    {
        $this->rest = self::$body;
        return true;
    }

    public function stream_read(): string
    {
        [$read, $this->rest] = [$this->rest, ''];
        return $read;
    }

    public function stream_eof(): bool
    {
        return $this->rest === '';
    }

    public function stream_stat(): array
    {
        return [];
    }
}

function wp_cache_flush_runtime(): bool
{
    return true;
}

/** Locks, as MySQL has them: of one connection they are always free. */
$GLOBALS['wpdb'] = new class {
    public bool $isLocked = false;

    public function prepare(string $sql, string $value): string
    {
        return str_replace('%s', "'$value'", $sql);
    }

    public function get_var(string $sql): string
    {
        return $this->isLocked ? '0' : '1';
    }

    public function query(string $sql): void
    {
    }
};
