<?php

declare(strict_types=1);

namespace Malipo\Sending;

use Malipo\Journal\Journal;

/** What the resources of a client share. */
final class Parts
{
    public function __construct(
        public readonly Connection $connection,
        public readonly Journal $journal,
        public readonly Pace $pace,
        /** How long to continue after a request went wrong. */
        public readonly int $retryForMs,
    ) {
    }

    /** For requests that can be repeated safely. */
    public function ask(Call $call): Answered
    {
        $answer = $this->connection->sendUntilClear($call, $this->deadlineMs() + $call->waitMs);
        return $answer instanceof Answered ? $answer : throw $answer->cause;
    }

    public function deadlineMs(): int
    {
        return $this->pace->nowMs() + $this->retryForMs;
    }
}
