<?php

declare(strict_types=1);

namespace Malipo\Callbacks;

use Malipo\MalipoException;
use Malipo\Signing\Address;

/**
 * Verifies callbacks and keeps the keys: it reads them when it meets a key it does not know, once a day, and not for
 * every stranger's request.
 */
final class CallbackVerifier
{
    private const DAY_SECONDS = 86_400;
    /** The least time between two reads of the keys because of an unknown key. */
    private const REREAD_AFTER_SECONDS = 10;

    private readonly Address $address;
    /** @var callable(): list<array{id: string, key: string}> */
    private $readKeys;
    /** @var callable(): \DateTimeInterface */
    private $clock;

    /**
     * @param callable(): list<array{id: string, key: string}> $readKeys Usually `$malipo->publicKeys->list(...)`.
     * @param string $url The public address of your callbacks, as the gateway has it. With a host only, such as
     *   https://shop.example, any path of that host is accepted. It is not taken from the request: a genuine callback
     *   to someone else's host would otherwise be accepted here.
     * @param KeyCache $cache Default: in memory, so every PHP process reads the keys again.
     * @param int $ageMaxSeconds The maximum age of a signature. Every attempt is signed again.
     * @param ?callable(): \DateTimeInterface $clock Default: this machine's. The clock of a sandbox may be moved.
     * @param ?string $merchantId Your merchant ID, which the dashboard shows under Callback addresses. Without it a
     *   genuine callback about another merchant's payment is accepted too.
     */
    public function __construct(
        callable $readKeys,
        string $url,
        private readonly KeyCache $cache = new MemoryKeyCache(),
        private readonly int $ageMaxSeconds = 300,
        ?callable $clock = null,
        private readonly ?string $merchantId = null,
    ) {
        $this->readKeys = $readKeys;
        $this->address = Address::parse($url);
        $this->clock = $clock ?? static fn () => new \DateTimeImmutable();
    }

    /**
     * Verifies the request that PHP is answering, or the one that is given: PSR-7, Symfony, Laravel, or a
     * `ReceivedCallback`.
     *
     * @throws CallbackRefused if it is not genuine: answer 401
     * @throws MalipoException if the keys cannot be read: answer 503, and the gateway tries again
     */
    public function verify(?object $request = null): Callback
    {
        $received = ReceivedCallback::from($request);
        $check = SignatureCheck::of($received);
        $keys = $this->keysFor($check->keyId());
        $address = $this->address->isComplete ? $this->address : $this->address->withTarget($received->target);
        $check->require($address, $keys, ($this->clock)(), $this->ageMaxSeconds, $this->merchantId);
        return Callback::read($received->body, $received->headers['malipo-event-id'] ?? null);
    }

    /** @return list<array{id: string, key: string}> */
    private function keysFor(?string $keyId): array
    {
        ['keys' => $keys, 'readAt' => $readAt] = $this->cache->read() + ['keys' => [], 'readAt' => 0];
        if ($keyId === null) {
            return $keys;
        }
        $isKnown = in_array($keyId, array_column($keys, 'id'), true);
        $ageSeconds = abs(time() - $readAt);
        if ($ageSeconds < ($isKnown ? self::DAY_SECONDS : self::REREAD_AFTER_SECONDS)) {
            return $keys;
        }
        try {
            $read = ($this->readKeys)();
        } catch (MalipoException $error) {
            // A key that was valid a day ago probably still is; an unknown key may be anything.
            return $isKnown ? $keys : throw $error;
        }
        // Keys that are no longer published are dropped.
        $this->cache->write(['keys' => $read, 'readAt' => time()]);
        return $read;
    }
}
