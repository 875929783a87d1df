<?php

declare(strict_types=1);

namespace Malipo\Testing;

use Malipo\Sending\Pace;

/** Time that passes only in pauses, so that tests of retries do not wait. */
final class InstantPace extends Pace
{
    private int $nowMs = 0;

    public function nowMs(): int
    {
        return $this->nowMs;
    }

    public function pause(int $ms): void
    {
        $this->nowMs += $ms;
    }
}
