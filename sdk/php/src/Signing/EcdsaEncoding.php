<?php

declare(strict_types=1);

namespace Malipo\Signing;

/** An ECDSA signature is two numbers. OpenSSL writes them as DER; RFC 9421 concatenates them. */
final class EcdsaEncoding
{
    private const SEQUENCE = "\x30";
    private const INTEGER = "\x02";

    /** Null if it is not such a signature. */
    public static function derToRaw(string $der, int $numberBytes): ?string
    {
        // Signatures on our curves are shorter than 128 bytes, so every length is one byte.
        $isWhole = strlen($der) > 2 && strlen($der) < 128 && ord($der[1]) === strlen($der) - 2;
        if (!$isWhole || $der[0] !== self::SEQUENCE) {
            return null;
        }
        $raw = '';
        $at = 2;
        for ($count = 0; $count < 2; $count++) {
            $length = ord($der[$at + 1] ?? "\0");
            $number = ltrim(substr($der, $at + 2, $length), "\0");
            $isNumber = ($der[$at] ?? '') === self::INTEGER && $length > 0 && $at + 2 + $length <= strlen($der);
            if (!$isNumber || strlen($number) > $numberBytes) {
                return null;
            }
            $raw .= str_pad($number, $numberBytes, "\0", STR_PAD_LEFT);
            $at += 2 + $length;
        }
        return $at === strlen($der) ? $raw : null;
    }

    public static function rawToDer(string $raw): string
    {
        $numbers = '';
        foreach (str_split($raw, intdiv(strlen($raw), 2)) as $half) {
            $number = ltrim($half, "\0");
            // A leading 1 bit would make the number negative.
            if ($number === '' || ord($number[0]) > 127) {
                $number = "\0$number";
            }
            $numbers .= self::INTEGER . chr(strlen($number)) . $number;
        }
        return self::SEQUENCE . chr(strlen($numbers)) . $numbers;
    }
}
