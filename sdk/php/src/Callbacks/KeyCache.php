<?php

declare(strict_types=1);

namespace Malipo\Callbacks;

/**
 * Keeps the gateway's public keys between requests, because a PHP process seldom lives longer than one. Who can write
 * to it can forge callbacks.
 */
interface KeyCache
{
    /** @return array<string, mixed> What was written last; empty if nothing was. */
    public function read(): array;

    /** @param array<string, mixed> $content */
    public function write(array $content): void;
}
