<?php

declare(strict_types=1);

namespace Malipo\Testing;

use Malipo\FailureCode;
use Malipo\Http\HttpAnswer;
use Malipo\Http\HttpRequest;
use Malipo\Http\Transport;
use Malipo\Http\TransportFailure;
use Malipo\Kind;
use Malipo\Malipo;
use Malipo\MalipoException;

/**
 * A gateway in memory, for tests of your own program. It accepts what a gateway accepts, keeps each identifier once,
 * and ends payments when the test says so. It checks no limits and no phone numbers: for that there is the sandbox.
 */
final class FakeGateway implements Transport
{
    /** @var array<string, array<string, mixed>> Records by kind and identifier. */
    private array $records = [];
    /** @var list<array<string, mixed>> */
    private array $events = [];
    /** @var list<HttpRequest> Every request that arrived, in order. */
    public array $requests = [];
    /** @var list<array{string, mixed}> What happens to the next requests. */
    private array $plan = [];

    /** A client of this gateway whose retries take no time. */
    public function client(mixed ...$options): Malipo
    {
        $defaults = ['baseUrl' => 'https://gateway.test', 'token' => 'test', 'pace' => new InstantPace()];
        return new Malipo(...($options + ['transport' => $this] + $defaults));
    }

    /** The next request is rejected. */
    public function rejectNext(string $failureCode = FailureCode::INVALID_PARAMETER): void
    {
        $this->plan[] = ['reject', $failureCode];
    }

    /** The next request does not arrive. */
    public function loseNextRequest(): void
    {
        $this->plan[] = ['lose request', null];
    }

    /** The next request arrives, and its answer does not. */
    public function loseNextAnswer(): void
    {
        $this->plan[] = ['lose answer', null];
    }

    /** The next request is answered with this HTTP status and body, and does nothing. */
    public function answerNext(int $status, string $body = '', array $headers = []): void
    {
        $this->plan[] = ['answer', new HttpAnswer($status, $headers, $body)];
    }

    /** Ends a payment well: it is COMPLETED. */
    public function complete(string $id): void
    {
        $this->change($id, ['status' => 'COMPLETED']);
    }

    /** Ends a payment badly: it is FAILED. */
    public function fail(string $id, string $failureCode = FailureCode::PAYMENT_NOT_APPROVED): void
    {
        $this->change($id, ['status' => 'FAILED', 'failureReason' => self::reason($failureCode)]);
    }

    /** The callback about a payment as it is now. */
    public function callback(string $id, string $url, ?string $merchantId = null): SignedCallback
    {
        $record = $this->records[self::key($this->kindOf($id), $id)];
        return SignedCallback::create($url, $record, merchantId: $merchantId);
    }

    /** How many payments of a kind it has. */
    public function count(Kind $kind): int
    {
        $isOfKind = static fn (string $key) => str_starts_with($key, "$kind->value ");
        return count(array_filter(array_keys($this->records), $isOfKind));
    }

    public function send(HttpRequest $request): HttpAnswer
    {
        [$what, $detail] = array_shift($this->plan) ?? ['pass', null];
        if ($what === 'lose request') {
            throw new TransportFailure('connection refused', false);
        }
        $this->requests[] = $request;
        $answer = match ($what) {
            'answer' => $detail,
            'reject' => self::json(['status' => 'REJECTED', 'failureReason' => self::reason($detail)], 400),
            default => self::json(...$this->answer($request)),
        };
        return $what === 'lose answer' ? throw new TransportFailure('connection reset', false) : $answer;
    }

    /** @return array{array<mixed>, int} */
    private function answer(HttpRequest $request): array
    {
        $path = substr((string) parse_url($request->url, PHP_URL_PATH), strlen('/v2/'));
        $body = json_decode($request->body ?? '[]', true);
        foreach (Kind::cases() as $kind) {
            $own = substr($kind->path(), strlen('/v2/'));
            if ($path === $own) {
                $isList = $request->method === 'GET';
                return [$isList ? $this->list($kind, $request->url) : $this->start($kind, $body), 200];
            }
            if ($path === "$own/bulk") {
                return [array_map(fn (array $one) => $this->start($kind, $one), $body), 200];
            }
            if (str_starts_with($path, "$own/")) {
                return $this->answerAbout($kind, substr($path, strlen($own) + 1), $request->method);
            }
        }
        return $path === 'events' ? [$this->readEvents($request->url), 200] : self::answerReading($path, $body);
    }

    /**
     * The newest first. It does not look at times; the cursor is how many were on the pages before.
     *
     * @return array<string, mixed>
     */
    private function list(Kind $kind, string $url): array
    {
        parse_str((string) parse_url($url, PHP_URL_QUERY), $query);
        $isListed = static fn (array $record, string $key) =>
            str_starts_with($key, "$kind->value ") && self::fits($record, $query);
        $records = array_reverse(array_values(array_filter($this->records, $isListed, ARRAY_FILTER_USE_BOTH)));
        [$first, $limit] = [(int) ($query['cursor'] ?? 0), (int) ($query['limit'] ?? 50)];
        $next = count($records) > $first + $limit ? ['next' => (string) ($first + $limit)] : [];
        return ['data' => array_slice($records, $first, $limit)] + $next;
    }

    /**
     * Every status of payments; no movements of wallets. The cursor is the number of the last event.
     *
     * @return array<string, mixed>
     */
    private function readEvents(string $url): array
    {
        parse_str((string) parse_url($url, PHP_URL_QUERY), $query);
        $after = $query['after'] ?? '0';
        $first = $after === 'latest' ? count($this->events) : (int) $after;
        $events = array_slice($this->events, $first, (int) ($query['limit'] ?? 50));
        $last = $first + count($events);
        return ['data' => $events, 'next' => (string) $last, 'hasMore' => $last < count($this->events)];
    }

    /** @param array<string, mixed> $record @param array<string, string> $query */
    private static function fits(array $record, array $query): bool
    {
        $account = ($record['payer'] ?? $record['recipient'] ?? [])['accountDetails'] ?? [];
        $facts = $account + $record;
        foreach (['status', 'clientReferenceId', 'phoneNumber', 'provider'] as $name) {
            if (isset($query[$name]) && ($facts[$name] ?? null) !== $query[$name]) {
                return false;
            }
        }
        $values = array_merge(...array_map(array_values(...), $record['metadata'] ?? []));
        return !isset($query['metadata']) || in_array($query['metadata'], $values, true);
    }

    /** @return array{array<mixed>, int} */
    private function answerAbout(Kind $kind, string $rest, string $method): array
    {
        $id = rawurldecode((string) preg_replace('#^(resend-callback|fail-enqueued)/|/expire$#', '', $rest));
        $record = $this->records[self::key($kind, $id)] ?? null;
        if ($method === 'GET') {
            return [$record === null ? ['status' => 'NOT_FOUND'] : ['status' => 'FOUND', 'data' => $record], 200];
        }
        if ($record === null) {
            return [['status' => 'REJECTED', 'failureReason' => self::reason(FailureCode::NOT_FOUND)], 404];
        }
        if (str_ends_with($rest, '/expire')) {
            $this->change($id, ['status' => 'EXPIRED']);
        }
        if (str_starts_with($rest, 'fail-enqueued/')) {
            $this->fail($id, FailureCode::MANUALLY_CANCELLED);
        }
        return [[$kind->idName() => $id, 'status' => 'ACCEPTED'], 200];
    }

    /** @param array<string, mixed> $request @return array<string, mixed> */
    private function start(Kind $kind, array $request): array
    {
        // The gateway makes the identifiers of statements.
        $id = $request[$kind->idName()] ?? Malipo::newId();
        $key = self::key($kind, $id);
        $isNew = !isset($this->records[$key]);
        if ($isNew) {
            $this->store($kind, $request + [
                $kind->idName() => $id,
                'status' => $kind === Kind::Checkout ? 'WAITING_PAYMENT' : 'PROCESSING',
                'created' => self::now(),
            ]);
        }
        $extras = ['nextStep' => 'FINAL_STATUS'];
        if ($kind === Kind::Checkout) {
            $extras = ['redirectUrl' => "https://gateway.test/pay/$id", 'expiresAt' => '', 'checkoutCode' => 'TEST'];
        }
        $status = $isNew ? 'ACCEPTED' : 'DUPLICATE_IGNORED';
        return ['status' => $status, $kind->idName() => $id, 'created' => $this->records[$key]['created']] + $extras;
    }

    /** @param array<string, mixed> $body @return array{array<mixed>, int} */
    private static function answerReading(string $path, array $body): array
    {
        $number = preg_replace('/\D/', '', (string) ($body['phoneNumber'] ?? ''));
        $predicted = ['country' => 'RWA', 'provider' => 'MTN_MOMO_RWA', 'phoneNumber' => $number];
        $wallet = ['country' => 'RWA', 'currency' => 'RWF', 'balance' => '1000000'];
        return match ($path) {
            'paymentpage' => [['redirectUrl' => 'https://gateway.test/pay'], 200],
            'active-conf' => [['companyName' => 'Test', 'countries' => []], 200],
            'availability' => [[], 200],
            'predict-provider' => [$predicted, 200],
            'wallet-balances' => [['balances' => [$wallet]], 200],
            'public-key/http' => [SignedCallback::create('https://gateway.test', [])->keys, 200],
            default => [['failureReason' => self::reason('ROUTE_NOT_FOUND')], 404],
        };
    }

    /** @param array<string, mixed> $changes */
    private function change(string $id, array $changes): void
    {
        $kind = $this->kindOf($id);
        $this->store($kind, $changes + $this->records[self::key($kind, $id)]);
    }

    /** @param array<string, mixed> $record With another status than before. */
    private function store(Kind $kind, array $record): void
    {
        $id = $record[$kind->idName()];
        $this->records[self::key($kind, $id)] = $record;
        if (in_array($kind, [Kind::Deposit, Kind::Payout, Kind::Refund, Kind::Remittance], true)) {
            $this->events[] = [
                'eventId' => Malipo::newId(),
                'number' => count($this->events) + 1,
                'occurredAt' => self::now(),
                'type' => 'STATUS',
                'kind' => strtoupper($kind->value),
                'id' => $id,
                'status' => $record['status'],
                $kind->value => $record,
            ];
        }
    }

    private static function now(): string
    {
        return gmdate('Y-m-d\TH:i:s\Z');
    }

    private function kindOf(string $id): Kind
    {
        foreach (Kind::cases() as $kind) {
            if (isset($this->records[self::key($kind, $id)])) {
                return $kind;
            }
        }
        throw MalipoException::misuse("The fake gateway has no payment $id.", 'Create it first.');
    }

    private static function key(Kind $kind, string $id): string
    {
        return "$kind->value " . strtolower($id);
    }

    /** @return array<string, string> */
    private static function reason(string $failureCode): array
    {
        return ['failureCode' => $failureCode, 'failureMessage' => "The test wants $failureCode."];
    }

    /** @param array<mixed> $body */
    private static function json(array $body, int $status): HttpAnswer
    {
        return new HttpAnswer($status, [], json_encode($body, JSON_THROW_ON_ERROR));
    }
}
