<?php

declare(strict_types=1);

namespace Malipo\Journal;

/** Stores identifiers before anything is sent, so that after a crash you can ask for their outcome. */
interface Journal
{
    /**
     * Must have stored the entries durably when it returns: only then is anything sent. In a database that means
     * outside of an open transaction.
     *
     * @param list<JournalEntry> $entries
     */
    public function remember(array $entries): void;

    /**
     * The outcome of these requests is known.
     *
     * @param list<JournalEntry> $entries
     */
    public function settle(array $entries): void;

    /** @return list<JournalEntry> What was remembered and never settled, oldest first. */
    public function unsettled(): array;
}
