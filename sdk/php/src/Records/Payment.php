<?php

declare(strict_types=1);

namespace Malipo\Records;

use Malipo\Kind;

/** A record about money. Only a COMPLETED one is paid. */
abstract class Payment extends Record
{
    /** Whether money moved, finally. This is the field to act on. */
    public readonly bool $paid;

    /** @param array<string, mixed> $fields */
    final public function __construct(Kind $kind, array $fields)
    {
        parent::__construct($kind, $fields);
        $this->paid = ($fields['status'] ?? null) === 'COMPLETED';
    }
}
