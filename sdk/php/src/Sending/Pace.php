<?php

declare(strict_types=1);

namespace Malipo\Sending;

/** Time, and delays between attempts. */
class Pace
{
    /** The first retry is almost immediate; later ones give an overloaded gateway time. */
    private const FIRST_MS = 100;
    private const LONGEST_MS = 5_000;

    /** A clock that nothing sets back. */
    public function nowMs(): int
    {
        return intdiv(hrtime(true), 1_000_000);
    }

    public function pause(int $ms): void
    {
        usleep($ms * 1_000);
    }

    /** The delay after failed attempts. Half of it is random, so that clients do not retry at the same time. */
    public function backoffMs(int $attempts): int
    {
        $whole = (int) min(self::FIRST_MS * 2 ** max(0, $attempts - 1), self::LONGEST_MS);
        return intdiv($whole, 2) + random_int(0, intdiv($whole, 2));
    }
}
