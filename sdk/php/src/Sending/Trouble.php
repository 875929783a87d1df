<?php

declare(strict_types=1);

namespace Malipo\Sending;

use Malipo\MalipoException;

/** There is no clear answer. */
final class Trouble
{
    public function __construct(
        public readonly MalipoException $cause,
        /** How long the gateway asks to wait. */
        public readonly int $retryAfterMs = 0,
        /** Whether the gateway certainly did nothing, because of too many requests. */
        public readonly bool $isThrottled = false,
    ) {
    }
}
