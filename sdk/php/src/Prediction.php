<?php

declare(strict_types=1);

namespace Malipo;

/**
 * The provider that a phone number most probably belongs to. Check `found` first.
 *
 * @property-read string $provider found: its code
 * @property-read string $phoneNumber found: the number as requests need it
 * @property-read string $country found: ISO 3166-1, three letters
 * @property-read FailureReason $failureReason not found: why
 */
final class Prediction extends Guarded
{
    /** @param array<string, mixed> $fields */
    public function __construct(public readonly bool $found, array $fields)
    {
        parent::__construct($fields);
    }
}
