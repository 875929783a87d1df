<?php

declare(strict_types=1);

namespace Malipo\Test;

use Malipo\Malipo;
use Malipo\Resources\AnnouncedResource;
use Malipo\Testing\FakeGateway;
use PHPUnit\Framework\TestCase;

use function Malipo\Tools\generate;

require_once __DIR__ . '/../tools/generate.php';

/** The SDK and openapi/v2.json: every operation exists, and generated files are current. */
final class OperationsTest extends TestCase
{
    private const ID = '2f4b6c1e-0000-4000-8000-000000000001';

    /** @return array<string, \Closure(Malipo): mixed> What calls each operation. */
    private static function calls(): array
    {
        $id = self::ID;
        return [
            'initiateDeposit' => static fn ($malipo) => $malipo->deposits->create([]),
            'listDeposits' => static fn ($malipo) => self::listAll($malipo->deposits),
            'getDeposit' => static fn ($malipo) => $malipo->deposits->get($id),
            'resendDepositCallback' => static fn ($malipo) => $malipo->deposits->resendCallback($id),
            'initiatePayout' => static fn ($malipo) => $malipo->payouts->create([]),
            'initiatePayouts' => static fn ($malipo) => $malipo->payouts->createMany([[]]),
            'listPayouts' => static fn ($malipo) => self::listAll($malipo->payouts),
            'getPayout' => static fn ($malipo) => $malipo->payouts->get($id),
            'resendPayoutCallback' => static fn ($malipo) => $malipo->payouts->resendCallback($id),
            'cancelEnqueuedPayout' => static fn ($malipo) => $malipo->payouts->cancel($id),
            'initiateRefund' => static fn ($malipo) => $malipo->refunds->create([]),
            'listRefunds' => static fn ($malipo) => self::listAll($malipo->refunds),
            'getRefund' => static fn ($malipo) => $malipo->refunds->get($id),
            'resendRefundCallback' => static fn ($malipo) => $malipo->refunds->resendCallback($id),
            'cancelEnqueuedRefund' => static fn ($malipo) => $malipo->refunds->cancel($id),
            'initiateRemittance' => static fn ($malipo) => $malipo->remittances->create([]),
            'initiateRemittances' => static fn ($malipo) => $malipo->remittances->createMany([[]]),
            'listRemittances' => static fn ($malipo) => self::listAll($malipo->remittances),
            'getRemittance' => static fn ($malipo) => $malipo->remittances->get($id),
            'resendRemittanceCallback' => static fn ($malipo) => $malipo->remittances->resendCallback($id),
            'cancelEnqueuedRemittance' => static fn ($malipo) => $malipo->remittances->cancel($id),
            'initiateSplitPayment' => static fn ($malipo) => $malipo->splitPayments->create([]),
            'getSplitPayment' => static fn ($malipo) => $malipo->splitPayments->get($id),
            'openPaymentPage' => static fn ($malipo) => $malipo->paymentPages->create([]),
            'openCheckout' => static fn ($malipo) => $malipo->checkouts->create([]),
            'getCheckout' => static fn ($malipo) => $malipo->checkouts->get($id),
            'expireCheckout' => static fn ($malipo) => $malipo->checkouts->expire($id),
            'getActiveConfiguration' => static fn ($malipo) => $malipo->toolkit->activeConfiguration('RWA', 'DEPOSIT'),
            'getAvailability' => static fn ($malipo) => $malipo->toolkit->availability('RWA', 'DEPOSIT'),
            'predictProvider' => static fn ($malipo) => $malipo->toolkit->predictProvider('250783456789'),
            'getPublicKeys' => static fn ($malipo) => $malipo->publicKeys->list(),
            'listEvents' => static fn ($malipo) => $malipo->events->read('latest', 10, 20),
            'getWalletBalances' => static fn ($malipo) => $malipo->wallets->balances('RWA'),
            'requestStatement' => static fn ($malipo) => $malipo->statements->create([]),
            'getStatement' => static fn ($malipo) => $malipo->statements->get($id),
        ];
    }

    /** Everything at once, which a gateway refuses: only what is sent is looked at. */
    private static function listAll(AnnouncedResource $resource): array
    {
        $values = ['INV-1', 'ORD-1', '250783456789', 'FAILED', 'MTN_MOMO_RWA'];
        return iterator_to_array($resource->list('2026-01-01', new \DateTimeImmutable(), ...$values));
    }

    /** @return array<string, array{string, string, list<string>}> Method, path, query parameters. */
    private static function operations(): array
    {
        $text = (string) file_get_contents(__DIR__ . '/../../../openapi/v2.json');
        $operations = [];
        foreach (json_decode($text, true, flags: JSON_THROW_ON_ERROR)['paths'] as $path => $methods) {
            foreach ($methods as $method => $operation) {
                $isQuery = static fn (array $parameter) => $parameter['in'] === 'query';
                $query = array_column(array_filter($operation['parameters'] ?? [], $isQuery), 'name');
                $operations[$operation['operationId']] = [strtoupper($method), $path, $query];
            }
        }
        return $operations;
    }

    public function testEveryOperationOfTheApiExists(): void
    {
        self::assertEqualsCanonicalizing(array_keys(self::operations()), array_keys(self::calls()));
    }

    public function testEveryOperationIsCalledAsTheApiHasIt(): void
    {
        $gateway = new FakeGateway();
        foreach (self::operations() as $name => [$method, $path, $query]) {
            if (str_starts_with($name, 'list')) {
                // The second page is asked for with a cursor.
                $gateway->answerNext(200, '{"data":[],"next":"1"}');
            }
            (self::calls()[$name])($gateway->client());
            $sent = end($gateway->requests);
            $parts = parse_url($sent->url);
            parse_str($parts['query'] ?? '', $parameters);
            $expected = [$method, preg_replace('/\{\w+\}/', self::ID, $path), $query];
            self::assertSame($expected, [$sent->method, $parts['path'], array_keys($parameters)], $name);
        }
    }

    public function testGeneratedFilesAreCurrent(): void
    {
        foreach (generate() as $path => $text) {
            $message = "src/$path is not current. Run: php sdk/php/tools/generate.php";
            self::assertStringEqualsFile(__DIR__ . "/../src/$path", $text, $message);
        }
    }
}
