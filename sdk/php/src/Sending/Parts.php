<?php

declare(strict_types=1);

namespace Malipo\Sending;

use Malipo\Journal\Journal;
use Malipo\Journal\JournalEntry;
use Malipo\MalipoException;
use Malipo\Outcome;
use Malipo\Started;
use Psr\Log\LoggerInterface;

/** What the resources of a client share. */
final class Parts
{
    public function __construct(
        public readonly Connection $connection,
        public readonly Journal $journal,
        public readonly Pace $pace,
        /** How long to continue after a request went wrong. */
        public readonly int $retryForMs,
        private readonly ?LoggerInterface $logger,
    ) {
    }

    /** For requests that can be repeated safely. */
    public function ask(Call $call): Answered
    {
        $answer = $this->connection->sendUntilClear($call, $this->deadlineMs() + $call->waitMs);
        return $answer instanceof Answered ? $answer : throw $answer->cause;
    }

    /**
     * Stores the entries, sends, and settles those whose outcome is known.
     *
     * @param list<JournalEntry> $entries
     * @param callable(): list<Started> $send
     * @return list<Started>
     */
    public function sendStored(array $entries, callable $send): array
    {
        $key = static fn (JournalEntry $entry) => $entry->key();
        $before = array_flip(array_map($key, $this->journal->unsettled()));
        $this->journal->remember($entries);
        try {
            $results = $send();
        } catch (MalipoException $refusal) {
            // It comes before anything was sent, or is a refusal of the only request. It says nothing about an earlier
            // one with the same identifier, so an entry that was there before stays. After any other exception all do.
            $isNew = static fn (JournalEntry $entry) => !isset($before[$entry->key()]);
            $this->trySettle(array_values(array_filter($entries, $isNew)));
            throw $refusal;
        }
        $isKnown = static fn (int $index) => $results[$index]->outcome !== Outcome::Unknown;
        $this->trySettle(array_values(array_filter($entries, $isKnown, ARRAY_FILTER_USE_KEY)));
        return $results;
    }

    /**
     * An entry that stays does no harm; a result that is lost does.
     *
     * @param list<JournalEntry> $entries
     */
    private function trySettle(array $entries): void
    {
        try {
            $this->journal->settle($entries);
        } catch (\Throwable $error) {
            $this->warn($error);
        }
    }

    private function warn(\Throwable $error): void
    {
        try {
            $message = 'Malipo: the journal could not be updated: {message}';
            $this->logger?->warning($message, ['message' => $error->getMessage()]);
        } catch (\Throwable) {
            // On a full disk a log in a file fails too.
            return;
        }
    }

    public function deadlineMs(): int
    {
        return $this->pace->nowMs() + $this->retryForMs;
    }
}
