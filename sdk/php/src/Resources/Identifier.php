<?php

declare(strict_types=1);

namespace Malipo\Resources;

use Malipo\MalipoException;

/** Identifiers: UUIDs of version 4. */
final class Identifier
{
    public static function create(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }

    /** An empty one would ask for the list instead of the payment. */
    public static function require(mixed $id): string
    {
        if (is_string($id) && $id !== '') {
            return $id;
        }
        throw MalipoException::misuse('The identifier is not a text.', 'Give the identifier of the payment, a UUID.');
    }
}
