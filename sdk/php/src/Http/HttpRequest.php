<?php

declare(strict_types=1);

namespace Malipo\Http;

/** A request as it goes over the wire. */
final class HttpRequest
{
    /** @param array<string, string> $headers By name in lower case. */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        #[\SensitiveParameter] public readonly array $headers,
        public readonly ?string $body,
        public readonly int $timeoutMs,
    ) {
    }
}
