<?php

declare(strict_types=1);

namespace Malipo\Sending;

/** A request of the API, before it is rendered. */
final class Call
{
    /** @param ?array<mixed> $body */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly ?array $body = null,
        /** Whether it starts a payment or opens a payment page: only such requests are signed. */
        public readonly bool $isInitiation = false,
        /** When it must have ended, if someone waits for it; in milliseconds of the clock. */
        public readonly ?int $untilMs = null,
        /** How long the gateway may wait before it answers. The time-out begins after that. */
        public readonly int $waitMs = 0,
    ) {
    }
}
