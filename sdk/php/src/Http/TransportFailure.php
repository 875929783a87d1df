<?php

declare(strict_types=1);

namespace Malipo\Http;

/** There is no complete answer. Whether the gateway received the request is not known. */
final class TransportFailure extends \RuntimeException
{
    public function __construct(string $message, public readonly bool $isTimeout, ?\Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
    }
}
