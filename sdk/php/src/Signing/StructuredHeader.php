<?php

declare(strict_types=1);

namespace Malipo\Signing;

/**
 * The part of structured headers (RFC 9651) that signatures need. Any other syntax is refused: a lenient parser could
 * read something that was never signed.
 */
final class StructuredHeader
{
    private const PART = '/(?:"(?:\\\\.|[^"\\\\])*+(?:"|\\\\?$)|[^",]++)++/D';
    private const MEMBER = '/^([a-z*][a-z0-9_.*-]*)=(.+)$/D';
    private const INPUT =
        '/^\(((?:"[^"\\\\]+"(?: "[^"\\\\]+")*)?)\)((?:;[a-z*][a-z0-9_.*-]*=(?:"[^"\\\\]*"|\d{1,15}))*)$/D';

    /** @return ?array<string, string> The members with their exact texts; null if it is not a dictionary. */
    public static function readDictionary(string $text): ?array
    {
        preg_match_all(self::PART, $text, $parts);
        $members = [];
        foreach ($parts[0] as $part) {
            if (preg_match(self::MEMBER, trim($part), $match) !== 1 || isset($members[$match[1]])) {
                return null;
            }
            $members[$match[1]] = $match[2];
        }
        return $members === [] ? null : $members;
    }

    /**
     * A member of Signature-Input: components without parameters, and parameters that are texts or whole numbers.
     *
     * @return ?array{list<string>, array<string, string|int>} The components and the parameters.
     */
    public static function readSignatureInput(string $text): ?array
    {
        if (preg_match(self::INPUT, $text, $match) !== 1) {
            return null;
        }
        preg_match_all('/"([^"]+)"/', $match[1], $components);
        preg_match_all('/;([^=;]+)=("[^"]*"|\d+)/', $match[2], $pairs, PREG_SET_ORDER);
        $parameters = [];
        foreach ($pairs as [, $name, $value]) {
            if (isset($parameters[$name])) {
                return null;
            }
            $parameters[$name] = $value[0] === '"' ? substr($value, 1, -1) : (int) $value;
        }
        $isDistinct = count(array_unique($components[1])) === count($components[1]);
        return $isDistinct ? [$components[1], $parameters] : null;
    }
}
