<?php

declare(strict_types=1);

namespace Malipo\Signing;

/** The signature base of RFC 9421: what is signed, one line per component. */
final class SignatureBase
{
    /** The signature label of this API. */
    public const LABEL = 'sig-pp';

    /** What every signature of this API covers; also `@query`, if the address has one. */
    private const COMPONENTS = [
        '@method',
        '@authority',
        '@path',
        'signature-date',
        'content-digest',
        'content-type',
    ];

    /** @return list<string> */
    public static function componentsFor(Address $address): array
    {
        return $address->query === '' ? self::COMPONENTS : [...self::COMPONENTS, '@query'];
    }

    /**
     * Null if the request lacks a component.
     *
     * @param array<string, string> $headers By name in lower case.
     * @param list<string> $components
     * @param string $inputText The exact member of Signature-Input.
     */
    public static function create(
        string $method,
        Address $address,
        array $headers,
        array $components,
        string $inputText,
    ): ?string {
        $derived = [
            '@method' => $method,
            '@authority' => $address->authority,
            '@path' => $address->path,
            '@query' => "?$address->query",
        ];
        $text = '';
        foreach ($components as $name) {
            $value = $derived[$name] ?? $headers[$name] ?? null;
            if ($value === null) {
                return null;
            }
            $text .= "\"$name\": " . trim($value) . "\n";
        }
        return "$text\"@signature-params\": $inputText";
    }

    /**
     * A member of Signature-Input.
     *
     * @param list<string> $components
     * @param ?string $tag For whom it is signed: the merchant ID, in callbacks.
     */
    public static function writeInput(
        array $components,
        Algorithm $algorithm,
        string $keyId,
        int $created,
        int $lifetimeSeconds,
        ?string $tag = null,
    ): string {
        $list = implode(' ', array_map(static fn (string $name) => "\"$name\"", $components));
        $expires = $created + $lifetimeSeconds;
        $end = $tag === null ? '' : ";tag=\"$tag\"";
        return "($list);alg=\"$algorithm->value\";keyid=\"$keyId\";created=$created;expires=$expires$end";
    }
}
