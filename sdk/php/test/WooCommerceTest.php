<?php

declare(strict_types=1);

namespace Malipo\Test;

use Malipo\FailureCode;
use Malipo\Kind;
use Malipo\Malipo;
use Malipo\Testing\FakeGateway;
use PHPUnit\Framework\TestCase;
use PhpInput;
use WC_Gateway_Malipo;
use WC_Order;
use WP_Die;

require_once __DIR__ . '/woocommerce.php';
require_once __DIR__ . '/../../../examples/woocommerce/malipo.php';

/** The code of docs/guides/woocommerce.md, with stand-ins for the functions of WooCommerce. */
final class WooCommerceTest extends TestCase
{
    private FakeGateway $gateway;
    private Malipo $malipo;
    private WC_Gateway_Malipo $method;
    private WC_Order $order;
    private string $log;

    protected function setUp(): void
    {
        $this->gateway = new FakeGateway();
        $this->malipo = WC_Gateway_Malipo::$client = $this->gateway->client(retryForMs: 0);
        $this->method = new WC_Gateway_Malipo();
        WC_Order::$all = [];
        $this->order = new WC_Order(7, '1000');
        $this->log = (string) ini_set('error_log', '/dev/null');
    }

    protected function tearDown(): void
    {
        ini_set('error_log', $this->log);
    }

    public function testItIsAPaymentMethodOfTheShop(): void
    {
        $methods = $GLOBALS['filters']['woocommerce_payment_gateways'](['BACS']);
        self::assertSame(['BACS', WC_Gateway_Malipo::class], $methods);
    }

    public function testAVerifiedCallbackDeliversTheOrder(): void
    {
        $this->pay('1000');
        self::assertSame(200, $this->receiveCallback());
        self::assertSame(['processing', 1], [$this->order->status, $this->order->deliveries]);
    }

    public function testACallbackOfAnotherMerchantIsRefused(): void
    {
        $this->pay('1000');
        self::assertSame(401, $this->receiveCallback(merchantId: Malipo::newId()));
        self::assertSame('pending', $this->order->status);
    }

    public function testACustomerWhoPressesPayTwicePaysOneDeposit(): void
    {
        $first = $this->method->process_payment(7);
        $depositId = $this->order->get_meta('_malipo_deposit_id');
        self::assertSame(['result' => 'success', 'redirect' => 'https://gateway.test/pay'], $first);
        $this->method->process_payment(7);
        self::assertSame($depositId, $this->order->get_meta('_malipo_deposit_id'));
    }

    public function testACustomerReadsThatTheGatewayRefusesOrDoesNotAnswer(): void
    {
        $refused = '{"failureReason":{"failureCode":"AUTHENTICATION_ERROR","failureMessage":"x"}}';
        $this->gateway->answerNext(401, $refused);
        self::assertSame(['result' => 'failure'], $this->method->process_payment(7));
        $this->gateway->loseNextAnswer();
        self::assertSame(['result' => 'failure'], $this->method->process_payment(7));
    }

    public function testAPaidOrderIsDeliveredOnce(): void
    {
        $this->pay('1000');
        malipo_check();
        malipo_check();
        malipo_settle($this->deposit());
        self::assertSame(['processing', 1], [$this->order->status, $this->order->deliveries]);
        self::assertSame([], $this->order->notes);
    }

    public function testAnOrderThatWasCancelledMeanwhileIsDelivered(): void
    {
        $this->pay('1000');
        $this->order->status = 'cancelled';
        malipo_check();
        self::assertSame(['processing', 1], [$this->order->status, $this->order->deliveries]);
    }

    public function testAnotherAmountIsSeenByStaff(): void
    {
        $this->pay('900');
        malipo_check();
        malipo_settle($this->deposit());
        self::assertSame(['on-hold', 0], [$this->order->status, $this->order->deliveries]);
        $note = 'The customer paid 900 RWF by mobile money. Compare it with the order.';
        self::assertSame([$note], $this->order->notes);
    }

    public function testAnOrderThatIsPaidTwiceIsSeenByStaff(): void
    {
        $this->pay('1000');
        $this->order->status = 'completed';
        malipo_settle($this->deposit());
        self::assertSame(['on-hold', 0], [$this->order->status, $this->order->deliveries]);
    }

    public function testAFailedOrderCanBePaidWithANewIdentifier(): void
    {
        $depositId = $this->startDeposit('1000');
        malipo_check();
        self::assertSame($depositId, $this->order->get_meta('_malipo_deposit_id'));
        $this->gateway->fail($depositId, FailureCode::PAYMENT_NOT_APPROVED);
        malipo_check();
        self::assertSame(['failed', ['PAYMENT_NOT_APPROVED']], [$this->order->status, $this->order->notes]);
        $this->method->process_payment(7);
        self::assertNotSame($depositId, $this->order->get_meta('_malipo_deposit_id'));
    }

    public function testAFailedOrderThatIsPaidAgainIsDeliveredWithoutACallback(): void
    {
        $this->gateway->fail($this->startDeposit('1000'));
        malipo_check();
        $requests = count($this->gateway->requests);
        malipo_check();
        self::assertCount($requests, $this->gateway->requests, 'It asked for a deposit that has failed.');
        $this->pay('1000');
        self::assertSame('failed', $this->order->status);
        malipo_check();
        self::assertSame(['processing', 1], [$this->order->status, $this->order->deliveries]);
    }

    public function testAnOrderThatWasPaidInAnotherWayDoesNotFail(): void
    {
        $depositId = $this->startDeposit('1000');
        $this->order->status = 'completed';
        $this->gateway->fail($depositId);
        malipo_settle($this->deposit());
        self::assertSame('completed', $this->order->status);
    }

    public function testARefundIsRecordedOnceWhenItIsCompleted(): void
    {
        $this->payAndCheck();
        self::assertSame('The refund was sent. This order shows it when it is completed.', $this->refund('400'));
        $refundId = $this->order->get_meta('_malipo_refund_id');
        malipo_check();
        self::assertSame([], $this->order->refunds);
        $this->gateway->complete($refundId);
        malipo_check();
        malipo_settle($this->malipo->refunds->get($refundId)->payment);
        self::assertSame(['400'], $this->order->refunds);
        self::assertSame(1, $this->gateway->count(Kind::Refund));
    }

    public function testARefundThatFailsIsNotRecordedAndCanBeRepeated(): void
    {
        $this->payAndCheck();
        $this->refund('400');
        $this->gateway->fail($this->order->get_meta('_malipo_refund_id'), FailureCode::RECIPIENT_NOT_FOUND);
        malipo_check();
        self::assertSame([], $this->order->refunds);
        $note = 'The refund of 400 RWF failed: RECIPIENT_NOT_FOUND. You can refund again.';
        self::assertSame([$note], $this->order->notes);
        self::assertStringContainsString('was sent', $this->refund('400'));
    }

    public function testARefundWithoutAnswerIsNotSentWithANewIdentifier(): void
    {
        $this->payAndCheck();
        $this->gateway->loseNextRequest();
        $this->refund('400');
        self::assertSame('An earlier refund of this order has no outcome yet.', $this->refund('400'));
        self::assertSame(0, $this->gateway->count(Kind::Refund));
        malipo_check();
        self::assertSame(1, $this->gateway->count(Kind::Refund));
        $this->gateway->complete($this->order->get_meta('_malipo_refund_id'));
        malipo_check();
        self::assertSame(['400'], $this->order->refunds);
    }

    public function testARejectedRefundIsSeenByStaff(): void
    {
        $this->payAndCheck();
        $this->gateway->rejectNext(FailureCode::AMOUNT_OUT_OF_BOUNDS);
        $told = $this->refund('400');
        self::assertStringContainsString('rejected', $told);
        self::assertSame([$told], $this->order->notes);
        self::assertSame('', $this->order->get_meta('_malipo_refund_id'));
    }

    public function testALockedOrderIsLeftForLater(): void
    {
        $this->pay('1000');
        $GLOBALS['wpdb']->isLocked = true;
        malipo_check();
        $GLOBALS['wpdb']->isLocked = false;
        self::assertSame('pending', $this->order->status);
        malipo_check();
        self::assertSame('processing', $this->order->status);
    }

    /** The customer presses Pay on the page, which starts the deposit. */
    private function startDeposit(string $amount): string
    {
        $this->method->process_payment(7);
        $depositId = $this->order->get_meta('_malipo_deposit_id');
        $request = ['depositId' => $depositId, 'amount' => $amount, 'currency' => 'RWF'];
        $this->malipo->deposits->create($request);
        return $depositId;
    }

    private function pay(string $amount): void
    {
        $this->gateway->complete($this->startDeposit($amount));
    }

    private function payAndCheck(): void
    {
        $this->pay('1000');
        malipo_check();
    }

    private function deposit(): \Malipo\Records\Deposit
    {
        return $this->malipo->deposits->get($this->order->get_meta('_malipo_deposit_id'))->payment;
    }

    /** Returns the status of the answer. */
    private function receiveCallback(string $merchantId = MALIPO_MERCHANT_ID): int
    {
        $depositId = $this->order->get_meta('_malipo_deposit_id');
        $callback = $this->gateway->callback($depositId, home_url('/wc-api/malipo/'), $merchantId);
        $headers = [];
        foreach ($callback->headers as $name => $value) {
            $headers['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
        }
        $server = $_SERVER;
        $_SERVER = add_magic_quotes(['REQUEST_METHOD' => 'POST', 'REQUEST_URI' => '/wc-api/malipo/'] + $headers);
        PhpInput::$body = $callback->body;
        stream_wrapper_unregister('php');
        stream_wrapper_register('php', PhpInput::class);
        try {
            $GLOBALS['actions']['woocommerce_api_malipo']();
        } catch (WP_Die $end) {
            return $end->getCode();
        } finally {
            stream_wrapper_restore('php');
            $_SERVER = $server;
            @unlink(MALIPO_KEY_FILE);
        }
        self::fail('The action answered nothing.');
    }

    private function refund(string $amount): string
    {
        return $this->method->process_refund(7, $amount)->get_error_message();
    }
}
