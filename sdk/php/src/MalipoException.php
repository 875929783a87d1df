<?php

declare(strict_types=1);

namespace Malipo;

/**
 * Thrown for requests that could not be made, and for misuse of this package. Expected answers of the gateway,
 * including rejections, are returned and not thrown. `errorCode` is for programs, the message for people.
 */
class MalipoException extends \RuntimeException
{
    /** No connection, or it broke before the answer. */
    public const NETWORK = 'NETWORK';
    /** No answer in time. */
    public const TIMEOUT = 'TIMEOUT';
    /** The gateway, or a proxy before it, failed or is overloaded. */
    public const UNAVAILABLE = 'UNAVAILABLE';
    /** Too many requests. */
    public const RATE_LIMITED = 'RATE_LIMITED';
    /** An answer that is not the gateway's. */
    public const UNREADABLE_ANSWER = 'UNREADABLE_ANSWER';
    /** Something in your program failed in the middle of a list, such as the journal. */
    public const INTERRUPTED = 'INTERRUPTED';
    /** This package was called incorrectly. */
    public const MISUSE = 'MISUSE';

    /** @param string $errorCode One of the constants, or a failure code of the gateway. */
    public function __construct(
        public readonly string $errorCode,
        string $message,
        public readonly string $whatToDo,
        public readonly ?int $httpStatus = null,
        ?\Throwable $previous = null,
    ) {
        // PHP's logs show only the message, so it also says what to do.
        parent::__construct("$message $whatToDo", 0, $previous);
    }

    public static function misuse(string $message, string $whatToDo): self
    {
        return new self(self::MISUSE, $message, $whatToDo);
    }

    /** Whether the same call may work later. */
    public function isPassing(): bool
    {
        $passing = [self::NETWORK, self::TIMEOUT, self::UNAVAILABLE, self::RATE_LIMITED];
        return in_array($this->errorCode, $passing, true);
    }
}
