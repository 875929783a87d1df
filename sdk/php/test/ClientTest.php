<?php

declare(strict_types=1);

namespace Malipo\Test;

use Malipo\FailureCode;
use Malipo\Http\HttpAnswer;
use Malipo\Http\HttpRequest;
use Malipo\Http\Transport;
use Malipo\Malipo;
use Malipo\MalipoException;
use Malipo\Outcome;
use Malipo\Signing\RequestSigner;
use Malipo\Started;
use Malipo\Status;
use Malipo\Still;
use Malipo\Testing\FakeGateway;
use PHPUnit\Framework\TestCase;

final class ClientTest extends TestCase
{
    private const WALLET = [
        'type' => 'MMO',
        'accountDetails' => ['provider' => 'MTN_MOMO_RWA', 'phoneNumber' => '250783456789'],
    ];
    private const DEPOSIT = ['amount' => '100', 'currency' => 'RWF', 'payer' => self::WALLET];
    private const PAYOUT = ['amount' => '100', 'currency' => 'RWF', 'recipient' => self::WALLET];

    private FakeGateway $gateway;
    private Malipo $malipo;

    protected function setUp(): void
    {
        $this->gateway = new FakeGateway();
        $this->malipo = $this->gateway->client();
    }

    public function testADepositIsAcceptedFoundAndAtLastPaid(): void
    {
        $started = $this->malipo->deposits->create(self::DEPOSIT);
        self::assertSame(Outcome::Accepted, $started->outcome);
        self::assertSame('FINAL_STATUS', $started->nextStep);
        $found = $this->malipo->deposits->get($started->id);
        self::assertTrue($found->found);
        self::assertFalse($found->payment->paid);
        $this->gateway->complete($started->id);
        $deposit = $this->malipo->deposits->waitForFinal($started->id);
        self::assertTrue($deposit->paid);
        self::assertSame('100', $deposit->amount);
        self::assertNull($deposit->failureReason);
        self::assertFalse($this->malipo->deposits->get(Malipo::newId())->found);
    }

    public function testAListGoesThroughAllPagesTheNewestFirst(): void
    {
        $ids = [];
        foreach (['a', 'b', 'a', 'b', 'a'] as $reference) {
            $metadata = [['order' => "order-$reference"]];
            $request = ['clientReferenceId' => $reference, 'metadata' => $metadata] + self::DEPOSIT;
            $ids[$reference][] = $this->malipo->deposits->create($request)->id;
        }
        $this->gateway->complete($ids['a'][0]);
        $sent = count($this->gateway->requests);
        $listed = iterator_to_array($this->malipo->deposits->list(clientReferenceId: 'a', pageSize: 2));
        self::assertSame(array_reverse($ids['a']), array_column($listed, 'id'));
        self::assertSame([false, false, true], array_column($listed, 'paid'));
        self::assertCount($sent + 2, $this->gateway->requests);
        self::assertCount(2, iterator_to_array($this->malipo->deposits->list(metadata: 'order-b')));
        self::assertCount(1, iterator_to_array($this->malipo->deposits->list(status: Status::COMPLETED)));
        self::assertCount(5, iterator_to_array($this->malipo->deposits->list(phoneNumber: '250783456789')));
        self::assertCount(0, iterator_to_array($this->malipo->payouts->list()));
    }

    public function testAnEmptyPageIsNotTheEndOfAListAndARefusalIsThrown(): void
    {
        $this->malipo->payouts->create(self::PAYOUT);
        $this->gateway->answerNext(200, '{"data":[],"next":"0"}');
        self::assertCount(1, iterator_to_array($this->malipo->payouts->list(from: new \DateTimeImmutable('-1 day'))));
        $this->gateway->answerNext(200, '{"status":"NOT_FOUND"}');
        $this->expectException(MalipoException::class);
        $this->malipo->payouts->list()->current();
    }

    public function testAFailedDepositHasAReasonAndIsNotPaid(): void
    {
        $started = $this->malipo->deposits->create(self::DEPOSIT);
        $this->gateway->fail($started->id);
        $deposit = $this->malipo->deposits->waitForFinal($started->id);
        self::assertTrue($deposit->isFinal);
        self::assertFalse($deposit->paid);
        self::assertSame(FailureCode::PAYMENT_NOT_APPROVED, $deposit->failureReason->failureCode);
    }

    public function testAnIdentifierThatWasAcceptedBeforeIsADuplicate(): void
    {
        $id = Malipo::newId();
        $request = ['depositId' => $id] + self::DEPOSIT;
        $outcomes = [$this->malipo->deposits->create($request), $this->malipo->deposits->create($request)];
        self::assertSame(['accepted', 'duplicate'], self::outcomes($outcomes));
    }

    public function testARejectedRequestHasItsReasonAndLeavesTheJournal(): void
    {
        $this->gateway->rejectNext(FailureCode::AMOUNT_OUT_OF_BOUNDS);
        $started = $this->malipo->payouts->create(self::PAYOUT);
        self::assertSame(Outcome::Rejected, $started->outcome);
        self::assertSame(FailureCode::AMOUNT_OUT_OF_BOUNDS, $started->failureReason->failureCode);
        self::assertSame([], $this->malipo->unsettled());
    }

    public function testManyPayoutsAreSentTwentyAtATimeAndAnsweredInOrder(): void
    {
        $requests = array_map(
            static fn (int $index) => ['payoutId' => Malipo::newId(), 'amount' => "$index"] + self::PAYOUT,
            range(1, 45),
        );
        $started = $this->malipo->payouts->createMany($requests);
        self::assertSame(array_column($requests, 'payoutId'), array_map(static fn ($one) => $one->id, $started));
        $urls = array_column($this->gateway->requests, 'url');
        self::assertSame(array_fill(0, 3, 'https://gateway.test/v2/payouts/bulk'), $urls);
    }

    public function testSplitsGetIdentifiersToo(): void
    {
        $splits = [['amount' => '40', 'recipient' => self::WALLET]];
        $this->malipo->splitPayments->create(self::DEPOSIT + ['splits' => $splits]);
        $sent = json_decode($this->gateway->requests[0]->body, true);
        self::assertMatchesRegularExpression('/^[0-9a-f-]{36}$/', $sent['splits'][0]['payoutId']);
    }

    public function testAnAddressWithAPathIsNamedAsTheMistake(): void
    {
        $client = $this->gateway->client(baseUrl: 'https://gateway.test/v2');
        try {
            $client->payouts->create(self::PAYOUT);
            self::fail('It must not be accepted.');
        } catch (MalipoException $error) {
            self::assertSame('ROUTE_NOT_FOUND', $error->errorCode);
            self::assertStringContainsString('Check baseUrl', $error->whatToDo);
        }
    }

    public static function misuses(): iterable
    {
        $with = static fn (mixed ...$options) => static fn (FakeGateway $gateway) => $gateway->client(...$options);
        yield 'an address without a scheme' => [$with(baseUrl: 'gateway.example')];
        yield 'no token' => [$with(token: '')];
        yield 'a token with a line break' => [$with(token: "token\n")];
        yield 'an amount that is a number' => [
            static fn ($gateway) => $gateway->client()->deposits->create(['amount' => 100] + self::DEPOSIT),
        ];
        yield 'a text that is not UTF-8' => [
            static fn ($gateway) => $gateway->client()->deposits->create(['customerMessage' => "\xff"]),
        ];
        yield 'an empty identifier' => [static fn ($gateway) => $gateway->client()->deposits->get('')];
        yield 'an identifier twice in a list' => [static function ($gateway): void {
            $id = Malipo::newId();
            $twice = [['payoutId' => $id] + self::PAYOUT, ['payoutId' => strtoupper($id)] + self::PAYOUT];
            $gateway->client()->payouts->createMany($twice);
        }];
        yield 'a key that is not one' => [static fn () => new RequestSigner('k', 'no key')];
    }

    /** @dataProvider misuses */
    public function testWhatCannotWorkIsRefusedBeforeAnythingIsSent(callable $misuse): void
    {
        try {
            $misuse($this->gateway);
            self::fail('It was accepted.');
        } catch (MalipoException $error) {
            self::assertSame(MalipoException::MISUSE, $error->errorCode);
        }
        self::assertSame([], $this->gateway->requests);
    }

    public function testWaitingEndsInTimeWithTheCurrentStatus(): void
    {
        $started = $this->malipo->deposits->create(self::DEPOSIT);
        $waited = $this->malipo->deposits->waitForFinal($started->id, timeoutMs: 2_000);
        self::assertInstanceOf(Still::class, $waited);
        self::assertSame(['PROCESSING', false, false], [$waited->still, $waited->isFinal, $waited->paid]);
        self::assertSame('NOT_FOUND', $this->malipo->payouts->waitForFinal(Malipo::newId(), 1_000)->still);
        $cut = self::transport(static fn () => throw new \RuntimeException('cut'));
        $waited = $this->gateway->client(transport: $cut)->payouts->waitForFinal(Malipo::newId(), 1_000);
        self::assertSame('UNREACHABLE', $waited->still);
    }

    public function testActionsAreDoneOrRejected(): void
    {
        $payout = $this->malipo->payouts->create(self::PAYOUT);
        self::assertSame(Outcome::Accepted, $this->malipo->payouts->cancel($payout->id)->outcome);
        $missing = $this->malipo->payouts->resendCallback(Malipo::newId());
        self::assertSame(FailureCode::NOT_FOUND, $missing->failureReason->failureCode);
        $checkout = $this->malipo->checkouts->create(['returnUrl' => 'https://shop.example/']);
        self::assertStringStartsWith('https://', $checkout->redirectUrl);
        $this->malipo->checkouts->expire($checkout->id);
        self::assertSame('EXPIRED', $this->malipo->checkouts->waitForFinal($checkout->id)->status);
    }

    public function testOnlyRequestsThatStartPaymentsAreSigned(): void
    {
        $key = openssl_pkey_new(['private_key_type' => OPENSSL_KEYTYPE_EC, 'curve_name' => 'secp384r1']);
        openssl_pkey_export($key, $pem);
        $malipo = $this->gateway->client(signing: new RequestSigner('my-key', $pem));
        $id = $malipo->deposits->create(self::DEPOSIT)->id;
        $malipo->deposits->get($id);
        $malipo->deposits->resendCallback($id);
        $malipo->paymentPages->create(['returnUrl' => 'https://shop.example/']);
        $inputs = array_map(
            static fn (HttpRequest $one) => $one->headers['signature-input'] ?? null,
            $this->gateway->requests,
        );
        self::assertStringContainsString('alg="ecdsa-p384-sha384";keyid="my-key"', $inputs[0]);
        self::assertSame([null, null], [$inputs[1], $inputs[2]]);
        self::assertNotNull($inputs[3]);
    }

    public function testTheTokenIsNotShownByVarDump(): void
    {
        ob_start();
        var_dump($this->gateway->client(token: 'very-secret'));
        self::assertStringNotContainsString('very-secret', (string) ob_get_clean());
    }

    public function testTroubleIsLoggedWithoutToken(): void
    {
        $logger = new class extends \Psr\Log\AbstractLogger {
            public string $text = '';

            public function log($level, $message, array $context = []): void
            {
                $this->text .= "$level $message " . json_encode($context) . "\n";
            }
        };
        $this->gateway->loseNextRequest();
        $this->gateway->client(logger: $logger, token: 'very-secret')->deposits->create(self::DEPOSIT);
        self::assertStringContainsString('NETWORK', $logger->text);
        self::assertStringNotContainsString('very-secret', $logger->text);
    }

    private static function transport(\Closure $send): Transport
    {
        return new class ($send) implements Transport {
            public function __construct(private readonly \Closure $work)
            {
            }

            public function send(HttpRequest $request): HttpAnswer
            {
                return ($this->work)($request);
            }
        };
    }

    /** @param list<Started> $started */
    private static function outcomes(array $started): array
    {
        return array_map(static fn (Started $one) => $one->outcome->value, $started);
    }
}
