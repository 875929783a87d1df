<?php

declare(strict_types=1);

namespace Malipo\Records;

use Malipo\FailureReason;
use Malipo\Kind;
use Malipo\MalipoException;

/**
 * What the gateway has recorded. Every field of the API can be read as a property; one that is not set is null, and a
 * name that the API does not know throws.
 *
 * @property-read string $status See `Status`. Be ready for others that are added later.
 * @property-read ?FailureReason $failureReason Why it failed, if it did.
 */
abstract class Record
{
    /** The names of the fields, as the API has them. */
    protected const FIELDS = [];

    public readonly string $id;
    /** Whether the status cannot change any more. */
    public readonly bool $isFinal;

    /** @param array<string, mixed> $fields */
    public function __construct(public readonly Kind $kind, private readonly array $fields)
    {
        $this->id = (string) ($fields[$kind->idName()] ?? '');
        $this->isFinal = in_array($fields['status'] ?? null, $kind->finalStatuses(), true);
    }

    public function __get(string $name): mixed
    {
        if ($name === 'failureReason') {
            return FailureReason::read($this->fields);
        }
        if (array_key_exists($name, $this->fields) || in_array($name, static::FIELDS, true)) {
            return $this->fields[$name] ?? null;
        }
        $what = static::class . " has no field '$name'.";
        throw MalipoException::misuse($what, 'Its fields are: ' . implode(', ', static::FIELDS) . '.');
    }

    public function __isset(string $name): bool
    {
        return isset($this->fields[$name]);
    }

    public function __set(string $name, mixed $value): void
    {
        throw MalipoException::misuse('A record cannot be changed.', 'Keep your own data elsewhere.');
    }

    /** @return array<string, mixed> The record as the gateway sent it. */
    public function toArray(): array
    {
        return $this->fields;
    }
}
