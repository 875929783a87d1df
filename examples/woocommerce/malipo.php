<?php

/**
 * The parts of a WooCommerce plug-in, see docs/guides/woocommerce.md. Define MALIPO_URL, MALIPO_TOKEN,
 * MALIPO_MERCHANT_ID and MALIPO_KEY_FILE in wp-config.php.
 */

use Malipo\Callbacks\CallbackRefused;
use Malipo\Callbacks\CallbackVerifier;
use Malipo\Callbacks\FileKeyCache;
use Malipo\Malipo;
use Malipo\MalipoException;
use Malipo\Outcome;
use Malipo\Records\Deposit;

final class WC_Gateway_Malipo extends WC_Payment_Gateway
{
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
        return new Malipo(baseUrl: MALIPO_URL, token: MALIPO_TOKEN, retryForMs: 5_000);
    }

    public function process_payment($order_id)
    {
        $order = wc_get_order($order_id);
        $depositId = $order->get_meta('_malipo_deposit_id') ?: Malipo::newId();
        $order->update_meta_data('_malipo_deposit_id', $depositId);
        $order->save();
        $page = self::client()->paymentPages->create([
            'depositId' => $depositId,
            'returnUrl' => $this->get_return_url($order),
            'amountDetails' => [
                'amount' => wc_format_decimal($order->get_total(), wc_get_price_decimals()),
                'currency' => $order->get_currency(),
            ],
        ]);
        if ($page->outcome !== Outcome::Accepted) {
            wc_add_notice('Mobile money is not available right now. Please try again.', 'error');
            return ['result' => 'failure'];
        }
        return ['result' => 'success', 'redirect' => $page->redirectUrl];
    }

    public function process_refund($order_id, $amount = null, $reason = '')
    {
        $order = wc_get_order($order_id);
        $refundId = Malipo::newId();
        $order->add_meta_data('_malipo_refund_id', $refundId);
        $order->save();
        $started = self::client()->refunds->create([
            'refundId' => $refundId,
            'depositId' => $order->get_meta('_malipo_deposit_id'),
            'amount' => $amount === null ? null : wc_format_decimal($amount, wc_get_price_decimals()),
        ]);
        // Unknown is not a failure: the refund may have been accepted. Ask for it before you start another one.
        return $started->outcome === Outcome::Rejected
            ? new WP_Error('malipo', $started->failureReason->failureMessage)
            : true;
    }
}

add_action('woocommerce_api_malipo', static function (): void {
    $verifier = new CallbackVerifier(
        WC_Gateway_Malipo::client()->publicKeys->list(...),
        url: home_url('/wc-api/malipo/'),
        cache: new FileKeyCache(MALIPO_KEY_FILE),
        merchantId: MALIPO_MERCHANT_ID, // the dashboard shows it under Callback addresses
    );
    try {
        $callback = $verifier->verify();
    } catch (CallbackRefused $refused) {
        wp_die('', '', ['response' => 401]);
    } catch (MalipoException $error) {
        wp_die('', '', ['response' => 503]);
    }
    if ($callback->payment instanceof Deposit) {
        malipo_settle($callback->payment);
    }
    wp_die('', '', ['response' => 200]);
});

function malipo_settle(Deposit $deposit): void
{
    global $wpdb;
    $lock = "malipo-{$deposit->id}";
    if ($wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, 5)', $lock)) !== '1') {
        wp_die('', '', ['response' => 503]);
    }
    try {
        $orders = wc_get_orders(['meta_key' => '_malipo_deposit_id', 'meta_value' => $deposit->id, 'limit' => 1]);
        // Read again behind the lock, so that a second callback sees what the first did.
        $order = $orders === [] ? null : wc_get_order($orders[0]->get_id());
        if ($order === null || $order->is_paid() || !$deposit->isFinal) {
            return;
        }
        $total = wc_format_decimal($order->get_total(), wc_get_price_decimals());
        $isExpected = $deposit->amount === $total && $deposit->currency === $order->get_currency();
        if ($deposit->paid && $isExpected) {
            $order->payment_complete($deposit->id);
        } elseif (!$deposit->paid) {
            // Only now: before the outcome is known, a new identifier could be paid as well.
            $order->delete_meta_data('_malipo_deposit_id');
            $order->update_status('failed', (string) $deposit->failureReason?->failureCode);
        }
    } finally {
        $wpdb->query($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $lock));
    }
}
