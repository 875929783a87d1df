<?php

declare(strict_types=1);

namespace Malipo;

/** Why the gateway rejected a request, or why a payment failed. */
final class FailureReason
{
    /** @param string $failureCode For programs: see `FailureCode`. Be ready for codes that are added later. */
    public function __construct(
        public readonly string $failureCode,
        public readonly string $failureMessage,
    ) {
    }

    /** Null if there is none in it. */
    public static function read(mixed $body): ?self
    {
        $reason = is_array($body) ? $body['failureReason'] ?? null : null;
        $code = is_array($reason) ? $reason['failureCode'] ?? null : null;
        $message = is_array($reason) ? $reason['failureMessage'] ?? null : null;
        return is_string($code) && is_string($message) ? new self($code, $message) : null;
    }
}
