<?php

declare(strict_types=1);

namespace Malipo\Sending;

/** A complete answer of the gateway. */
final class Answered
{
    /** @param array<mixed> $body */
    public function __construct(public readonly int $status, public readonly array $body)
    {
    }
}
