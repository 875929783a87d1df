<?php

declare(strict_types=1);

namespace Malipo\Sending;

use Malipo\FailureReason;
use Malipo\MalipoException;

/** What can go wrong with a request, and what to do about it. */
final class Problems
{
    private const ASK_LATER =
        'Ask for the status later, or send it again with the same identifier; never with a new one.';

    private const WHAT_TO_DO = [
        'AUTHENTICATION_ERROR' =>
            'Check the token, that it is of this environment, and, if your account demands signatures, `signing`.',
        'AUTHORISATION_ERROR' => 'Use a token with the scope that the message names.',
        'ROUTE_NOT_FOUND' => 'Check baseUrl: it is the address of the gateway, without /v2.',
    ];

    /** For what is left of a list. */
    public static function interrupted(\Throwable $cause): MalipoException
    {
        $message = "The rest of the list was interrupted: {$cause->getMessage()}.";
        $whatToDo = 'Fix the cause. ' . self::ASK_LATER;
        return new MalipoException(MalipoException::INTERRUPTED, $message, $whatToDo, null, $cause);
    }

    public static function noConnection(\Throwable $cause): MalipoException
    {
        $message = "The connection to the gateway failed before its answer was there: {$cause->getMessage()}.";
        $whatToDo = 'Check baseUrl and the network. ' . self::ASK_LATER;
        return new MalipoException(MalipoException::NETWORK, $message, $whatToDo, null, $cause);
    }

    public static function noAnswer(int $timeoutMs, \Throwable $cause): MalipoException
    {
        $message = "The gateway did not answer within $timeoutMs ms.";
        return new MalipoException(MalipoException::TIMEOUT, $message, self::ASK_LATER, null, $cause);
    }

    public static function gatewayFailed(int $status): MalipoException
    {
        $message = "The gateway, or something before it, answered HTTP $status.";
        return new MalipoException(MalipoException::UNAVAILABLE, $message, self::ASK_LATER, $status);
    }

    public static function tooOften(): MalipoException
    {
        $whatToDo = 'Send fewer requests at a time.';
        return new MalipoException(MalipoException::RATE_LIMITED, 'Too many requests.', $whatToDo, 429);
    }

    public static function unreadable(int $status): MalipoException
    {
        $message = "An answer of HTTP $status is not the gateway's.";
        $whatToDo = 'Check that baseUrl is that of the gateway, without /v2. ' . self::ASK_LATER;
        return new MalipoException(MalipoException::UNREADABLE_ANSWER, $message, $whatToDo, $status);
    }

    public static function failure(FailureReason $reason, int $status): MalipoException
    {
        $whatToDo = self::WHAT_TO_DO[$reason->failureCode] ?? 'Fix what the message names, and call again.';
        return new MalipoException($reason->failureCode, $reason->failureMessage, $whatToDo, $status);
    }

    /** An answer that says why, or is not the gateway's. */
    public static function refused(Answered $answer): MalipoException
    {
        $reason = FailureReason::read($answer->body);
        return $reason === null ? self::unreadable($answer->status) : self::failure($reason, $answer->status);
    }
}
