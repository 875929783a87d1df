<?php

declare(strict_types=1);

namespace Malipo\Signing;

/** Content-Digest (RFC 9530): the hash of a body, exactly as its bytes are sent. */
final class ContentDigest
{
    private const HASHES = ['sha-512' => 'sha512', 'sha-256' => 'sha256'];

    public static function render(string $body, string $algorithm = 'sha-512'): string
    {
        return "$algorithm=:" . base64_encode(hash(self::HASHES[$algorithm], $body, true)) . ':';
    }

    /** Why a Content-Digest does not match a body; null if it does. */
    public static function findFault(string $header, string $body): ?string
    {
        $members = StructuredHeader::readDictionary($header);
        if ($members === null) {
            return 'the Content-Digest header cannot be read';
        }
        $known = array_intersect_key($members, self::HASHES);
        foreach ($known as $name => $value) {
            if (!hash_equals(self::render($body, $name), "$name=$value")) {
                return 'the body is not the one that was signed';
            }
        }
        return $known === [] ? 'the Content-Digest header has neither sha-512 nor sha-256' : null;
    }
}
