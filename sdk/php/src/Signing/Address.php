<?php

declare(strict_types=1);

namespace Malipo\Signing;

use Malipo\MalipoException;

/** The parts of an address that a signature covers. */
final class Address
{
    private const DEFAULT_PORTS = ['https' => 443, 'http' => 80];

    private function __construct(
        /** Host and port, in lower case; without the port where it is the default one. */
        public readonly string $authority,
        /** As sent, with its escapes. */
        public readonly string $path,
        /** Without the question mark; empty if there is none. */
        public readonly string $query,
        /** Whether the address names more than a host. */
        public readonly bool $isComplete,
    ) {
    }

    public static function parse(string $url): self
    {
        $parts = parse_url($url);
        $scheme = strtolower($parts['scheme'] ?? '');
        if (!isset(self::DEFAULT_PORTS[$scheme], $parts['host'])) {
            $whatToDo = 'Give a complete one, such as https://shop.example/callbacks.';
            throw MalipoException::misuse("'$url' is not an address.", $whatToDo);
        }
        $port = $parts['port'] ?? self::DEFAULT_PORTS[$scheme];
        $authority = strtolower($parts['host']) . ($port === self::DEFAULT_PORTS[$scheme] ? '' : ":$port");
        $path = $parts['path'] ?? '/';
        $query = $parts['query'] ?? '';
        return new self($authority, $path, $query, $path !== '/' || $query !== '');
    }

    /** The same host, and the path with its query that a request names. */
    public function withTarget(string $target): self
    {
        // Some servers hand over the whole address.
        $target = (string) preg_replace('#^https?://[^/?]*#i', '', $target);
        [$path, $query] = [...explode('?', $target, 2), ''];
        return new self($this->authority, $path === '' ? '/' : $path, $query, true);
    }
}
