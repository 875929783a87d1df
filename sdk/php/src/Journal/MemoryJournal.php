<?php

declare(strict_types=1);

namespace Malipo\Journal;

/** Keeps identifiers as long as the PHP process lives. It is the journal of a client that is given none. */
final class MemoryJournal implements Journal
{
    /** @var array<string, JournalEntry> */
    private array $entries = [];

    public function remember(array $entries): void
    {
        foreach ($entries as $entry) {
            $this->entries[$entry->key()] = $entry;
        }
    }

    public function settle(array $entries): void
    {
        foreach ($entries as $entry) {
            unset($this->entries[$entry->key()]);
        }
    }

    public function unsettled(): array
    {
        return array_values($this->entries);
    }
}
