<?php

declare(strict_types=1);

namespace Malipo;

/**
 * A result whose fields depend on what happened. PHP reads a property that does not exist as null, which a program
 * then takes for an answer; here it is an exception.
 */
abstract class Guarded
{
    /** @param array<string, mixed> $fields */
    protected function __construct(private readonly array $fields)
    {
    }

    public function __get(string $name): mixed
    {
        if (array_key_exists($name, $this->fields)) {
            return $this->fields[$name];
        }
        throw MalipoException::misuse(static::class . " has no '$name' here.", $this->adviceFor($name));
    }

    public function __isset(string $name): bool
    {
        return isset($this->fields[$name]);
    }

    public function __set(string $name, mixed $value): void
    {
        throw MalipoException::misuse(static::class . ' cannot be changed.', 'Keep your own data elsewhere.');
    }

    protected function adviceFor(string $name): string
    {
        return 'Check which fields this result has.';
    }
}
