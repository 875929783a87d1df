<?php

declare(strict_types=1);

namespace Malipo\Callbacks;

/** Keeps the keys in a file. Put it where only your own program can write: not into /tmp of a shared server. */
final class FileKeyCache implements KeyCache
{
    public function __construct(private readonly string $path)
    {
    }

    public function read(): array
    {
        $content = json_decode((string) @file_get_contents($this->path), true);
        return is_array($content) ? $content : [];
    }

    /** The new file replaces the old one at once, so that no one reads half of it. */
    public function write(array $content): void
    {
        $new = @tempnam(dirname($this->path), 'malipo-keys');
        if ($new === false || !@file_put_contents($new, json_encode($content)) || !@rename($new, $this->path)) {
            throw new \RuntimeException("The keys cannot be kept: $this->path cannot be written.");
        }
    }
}
