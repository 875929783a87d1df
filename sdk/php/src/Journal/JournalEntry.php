<?php

declare(strict_types=1);

namespace Malipo\Journal;

/** A request that was sent, or was about to be. It contains no personal data. */
final class JournalEntry
{
    public function __construct(
        public readonly string $kind,
        public readonly string $id,
        /** When it was stored, RFC 3339. */
        public readonly string $at,
        /** The request's own clientReferenceId, if it has one. */
        public readonly ?string $clientReferenceId = null,
    ) {
    }

    /** Identifies an entry. */
    public function key(): string
    {
        return "$this->kind " . strtolower($this->id);
    }
}
