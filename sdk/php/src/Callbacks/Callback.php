<?php

declare(strict_types=1);

namespace Malipo\Callbacks;

use Malipo\Kind;
use Malipo\Records\Record;

/** A verified callback. It may say that a payment failed: look at `payment`. */
final class Callback
{
    /** A refund also contains its deposit's identifier, so its own is checked first. */
    private const ORDER = [
        Kind::Refund,
        Kind::Checkout,
        Kind::SplitPayment,
        Kind::Statement,
        Kind::Payout,
        Kind::Remittance,
        Kind::Deposit,
    ];

    /** @param array<mixed> $content */
    private function __construct(
        /** Null: something else, such as a test message of the dashboard or a payment of API v1. */
        public readonly ?Kind $kind,
        /** The identifier of the payment. */
        public readonly ?string $id,
        /** The record: `$callback->payment instanceof Deposit && $callback->payment->paid`. */
        public readonly ?Record $payment,
        /** The body as it was sent. */
        public readonly array $content,
        /** The same for every attempt of one announcement. It is not signed: use it only to recognise repeats. */
        public readonly ?string $eventId,
    ) {
    }

    public static function read(string $body, ?string $eventId): self
    {
        $content = json_decode($body, true, 512, JSON_BIGINT_AS_STRING);
        $content = is_array($content) ? $content : [];
        foreach (array_key_exists('correspondent', $content) ? [] : self::ORDER as $kind) {
            $id = $content[$kind->idName()] ?? null;
            if (is_string($id)) {
                return new self($kind, $id, $kind->record($content), $content, $eventId);
            }
        }
        return new self(null, null, null, $content, $eventId);
    }
}
