<?php

/**
 * The parts of a WooCommerce plug-in, see docs/guides/woocommerce.md. Load it in an action of `plugins_loaded`. Define
 * MALIPO_URL, MALIPO_TOKEN, MALIPO_MERCHANT_ID and MALIPO_KEY_FILE in wp-config.php.
 */

use Malipo\Callbacks\CallbackRefused;
use Malipo\Callbacks\CallbackVerifier;
use Malipo\Callbacks\FileKeyCache;
use Malipo\Callbacks\ReceivedCallback;
use Malipo\Malipo;
use Malipo\MalipoException;
use Malipo\Outcome;
use Malipo\Records\Deposit;
use Malipo\Records\Refund;

final class WC_Gateway_Malipo extends WC_Payment_Gateway
{
    public static ?Malipo $client = null;

    public function __construct()
    {
        $this->id = 'malipo';
        $this->method_title = 'Mobile money';
        $this->supports = ['products', 'refunds'];
        $this->init_settings();
    }

    public static function client(): Malipo
    {
        // Keep the token out of the database: define it in wp-config.php.
        return self::$client ??= new Malipo(baseUrl: MALIPO_URL, token: MALIPO_TOKEN, retryForMs: 5_000);
    }

    public function process_payment($order_id)
    {
        return malipo_with_order($order_id, static function (WC_Order $order): array {
            $depositId = $order->get_meta('_malipo_deposit_id') ?: Malipo::newId();
            $order->update_meta_data('_malipo_deposit_id', $depositId);
            $order->save();
            $page = malipo_open_page($order, $depositId);
            if ($page === null) {
                wc_add_notice('Mobile money is not available right now. Please try again.', 'error');
                return ['result' => 'failure'];
            }
            return ['result' => 'success', 'redirect' => $page];
        });
    }

    /**
     * WooCommerce records a refund as soon as this returns true, and a refund that was accepted can still fail. So it
     * is recorded by malipo_settle_refund, and staff read here what happens now.
     */
    public function process_refund($order_id, $amount = null, $reason = '')
    {
        return malipo_with_order($order_id, static function (WC_Order $order) use ($amount): WP_Error {
            if ($order->get_meta('_malipo_refund_id') !== '') {
                return new WP_Error('malipo', 'An earlier refund of this order has no outcome yet.');
            }
            $order->update_meta_data('_malipo_refund_id', Malipo::newId());
            $order->update_meta_data('_malipo_refund_amount', malipo_amount($amount ?? $order->get_total()));
            $order->save();
            return new WP_Error('malipo', malipo_send_refund($order));
        });
    }
}

add_filter('woocommerce_payment_gateways', static fn (array $all) => [...$all, WC_Gateway_Malipo::class]);

add_action('woocommerce_api_malipo', static function (): void {
    $verifier = new CallbackVerifier(
        WC_Gateway_Malipo::client()->publicKeys->list(...),
        url: home_url('/wc-api/malipo/'),
        cache: new FileKeyCache(MALIPO_KEY_FILE),
        merchantId: MALIPO_MERCHANT_ID, // the dashboard shows it under Callback addresses
    );
    // What fails is not acknowledged, even where PHP shows errors: the gateway tries again.
    status_header(503);
    try {
        // WordPress adds slashes to $_SERVER, also before the quotes of signatures.
        $received = ReceivedCallback::fromPhp(wp_unslash($_SERVER), (string) file_get_contents('php://input'));
        malipo_settle($verifier->verify($received)->payment);
    } catch (CallbackRefused) {
        wp_die('', '', ['response' => 401]);
    } catch (MalipoException | RuntimeException) {
        // The keys could not be read, or the order is locked. The gateway tries again.
        wp_die('', '', ['response' => 503]);
    }
    wp_die('', '', ['response' => 200]);
});

add_action('init', static function (): void {
    if (!as_has_scheduled_action('malipo_check')) {
        as_schedule_recurring_action(time(), 5 * MINUTE_IN_SECONDS, 'malipo_check');
    }
});
add_action('malipo_check', 'malipo_check');

/** Where to send the customer; null if the gateway cannot say it now. */
function malipo_open_page(WC_Order $order, string $depositId): ?string
{
    try {
        $page = WC_Gateway_Malipo::client()->paymentPages->create([
            'depositId' => $depositId,
            'returnUrl' => $order->get_checkout_order_received_url(),
            'amountDetails' => ['amount' => malipo_amount($order->get_total()), 'currency' => $order->get_currency()],
        ]);
    } catch (MalipoException $error) {
        error_log($error->getMessage());
        return null;
    }
    return $page->outcome === Outcome::Accepted ? $page->redirectUrl : null;
}

/** Sends the refund that the order waits for. It may be called again. Returns what to tell staff. */
function malipo_send_refund(WC_Order $order): string
{
    try {
        $started = WC_Gateway_Malipo::client()->refunds->create([
            'refundId' => $order->get_meta('_malipo_refund_id'),
            'depositId' => $order->get_transaction_id(),
            'amount' => $order->get_meta('_malipo_refund_amount'),
        ]);
    } catch (MalipoException $error) {
        // It says nothing about the refund, so malipo_check goes on with it.
        return "The refund has no outcome yet: {$error->getMessage()}";
    }
    if ($started->outcome === Outcome::Rejected) {
        $what = "The refund was rejected: {$started->failureReason->failureMessage}";
        $order->delete_meta_data('_malipo_refund_id');
        $order->add_order_note($what);
        $order->save();
        return $what;
    }
    return 'The refund was sent. This order shows it when it is completed.';
}

/** Takes over what a record says, from a callback or an answer. */
function malipo_settle(mixed $record): void
{
    if (!$record instanceof Deposit && !$record instanceof Refund || !$record->isFinal) {
        return;
    }
    [$key, $settle] = $record instanceof Deposit
        ? ['_malipo_deposit_id', malipo_settle_deposit(...)]
        : ['_malipo_refund_id', malipo_settle_refund(...)];
    $ids = wc_get_orders(['meta_key' => $key, 'meta_value' => $record->id, 'limit' => 1, 'return' => 'ids']);
    foreach ($ids as $id) {
        malipo_with_order($id, static function (WC_Order $order) use ($key, $settle, $record): void {
            if ($order->get_meta($key) === $record->id) {
                $settle($order, $record);
            }
        });
    }
}

function malipo_settle_deposit(WC_Order $order, Deposit $deposit): void
{
    if ($order->get_transaction_id() === $deposit->id) {
        return;
    }
    if (!$deposit->paid) {
        // Only now: before the outcome is known, a new identifier could be paid as well.
        $order->delete_meta_data('_malipo_deposit_id');
        $order->save();
        // Not if it was paid in another way.
        $order->needs_payment() && $order->update_status('failed', (string) $deposit->failureReason?->failureCode);
        return;
    }
    $isOpen = $order->has_status(['pending', 'failed', 'cancelled']);
    $expected = [malipo_amount($order->get_total()), $order->get_currency()];
    if ($isOpen && [$deposit->amount, $deposit->currency] === $expected) {
        $order->payment_complete($deposit->id);
        return;
    }
    // The money is there, and not as the order expects it.
    $order->set_transaction_id($deposit->id);
    $note = "The customer paid $deposit->amount $deposit->currency by mobile money. Compare it with the order.";
    $order->update_status('on-hold', $note);
}

function malipo_settle_refund(WC_Order $order, Refund $refund): void
{
    $recorded = !$refund->paid ? null : wc_create_refund([
        'order_id' => $order->get_id(),
        'amount' => $refund->amount,
        'reason' => "Malipo $refund->id",
        'refund_payment' => false, // it is done
    ]);
    $order->delete_meta_data('_malipo_refund_id');
    $order->save();
    $what = "The refund of $refund->amount {$order->get_currency()}";
    if ($recorded === null) {
        $order->add_order_note("$what failed: {$refund->failureReason?->failureCode}. You can refund again.");
    } elseif (is_wp_error($recorded)) {
        $order->add_order_note("$what is completed. Record it: {$recorded->get_error_message()}");
    }
}

/**
 * Callbacks can be lost: asks for what has no outcome yet. WooCommerce cancels orders that a customer can still pay. A
 * failed order stays `failed` while it is paid again; the deposit that failed is no longer stored in it.
 */
function malipo_check(): void
{
    $since = '>' . (time() - 7 * DAY_IN_SECONDS);
    $open = ['pending', 'failed', 'cancelled'];
    $unpaid = ['meta_key' => '_malipo_deposit_id', 'status' => $open, 'date_created' => $since];
    $refunding = ['meta_key' => '_malipo_refund_id'];
    $ids = array_merge(...array_map(
        static fn (array $query) => wc_get_orders($query + ['limit' => -1, 'return' => 'ids']),
        [$unpaid, $refunding],
    ));
    foreach (array_unique($ids) as $id) {
        try {
            malipo_check_order(wc_get_order($id));
        } catch (MalipoException | RuntimeException $error) {
            error_log("Order $id: {$error->getMessage()}");
        }
    }
}

function malipo_check_order(WC_Order $order): void
{
    $refundId = $order->get_meta('_malipo_refund_id');
    if ($refundId === '') {
        // Without a deposit the customer has not pressed Pay.
        $deposit = WC_Gateway_Malipo::client()->deposits->get($order->get_meta('_malipo_deposit_id'));
        $deposit->found && malipo_settle($deposit->payment);
        return;
    }
    $refund = WC_Gateway_Malipo::client()->refunds->get($refundId);
    $refund->found ? malipo_settle($refund->payment) : malipo_with_order($order->get_id(), malipo_send_refund(...));
}

function malipo_amount(string|float $amount): string
{
    return wc_format_decimal($amount, wc_get_price_decimals());
}

/**
 * Runs with the order as it is now, one after the other. Payments and callbacks come at the same moment, and WordPress
 * keeps what it has read before.
 */
function malipo_with_order(int $id, callable $action): mixed
{
    global $wpdb;
    $lock = "malipo-$id";
    if ($wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, 5)', $lock)) !== '1') {
        throw new RuntimeException("Order $id is locked.");
    }
    try {
        wp_cache_flush_runtime();
        return $action(wc_get_order($id));
    } finally {
        $wpdb->query($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $lock));
    }
}
