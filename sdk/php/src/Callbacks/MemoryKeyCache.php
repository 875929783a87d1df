<?php

declare(strict_types=1);

namespace Malipo\Callbacks;

/** For processes that live long: workers, Swoole, RoadRunner, tests. */
final class MemoryKeyCache implements KeyCache
{
    /** @var array<string, mixed> */
    private array $content = [];

    public function read(): array
    {
        return $this->content;
    }

    public function write(array $content): void
    {
        $this->content = $content;
    }
}
