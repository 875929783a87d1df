<?php

declare(strict_types=1);

namespace Malipo\Signing;

use Malipo\MalipoException;

/**
 * The signature algorithms that PHP's openssl extension knows. The API also has rsa-pss-sha512, which the extension can
 * neither sign nor verify: use a key on a curve, or rsa-v1_5-sha256.
 */
enum Algorithm: string
{
    case EcdsaP256 = 'ecdsa-p256-sha256';
    case EcdsaP384 = 'ecdsa-p384-sha384';
    case RsaV15 = 'rsa-v1_5-sha256';

    /** Part of the API, and absent in PHP. */
    public const ABSENT = 'rsa-pss-sha512';

    /** The one algorithm of a key; null if there is none. */
    public static function ofKey(\OpenSSLAsymmetricKey $key): ?self
    {
        $details = openssl_pkey_get_details($key) ?: [];
        return match ($details['ec']['curve_name'] ?? $details['type'] ?? null) {
            'prime256v1' => self::EcdsaP256,
            'secp384r1' => self::EcdsaP384,
            OPENSSL_KEYTYPE_RSA => self::RsaV15,
            default => null,
        };
    }

    public function sign(string $data, \OpenSSLAsymmetricKey $key): string
    {
        if (!openssl_sign($data, $signature, $key, $this->hash())) {
            throw MalipoException::misuse('Signing failed: ' . openssl_error_string() . '.', 'Check the private key.');
        }
        $bytes = $this->numberBytes();
        return $bytes === null ? $signature : (string) EcdsaEncoding::derToRaw($signature, $bytes);
    }

    /** ECDSA signatures are accepted as DER and raw. */
    public function isSignedBy(\OpenSSLAsymmetricKey $key, string $signature, string $data): bool
    {
        $bytes = $this->numberBytes();
        // A DER signature can have the length of a raw one, so length alone does not decide.
        $forms = $bytes !== null && strlen($signature) === 2 * $bytes
            ? [$signature, EcdsaEncoding::rawToDer($signature)]
            : [$signature];
        foreach ($forms as $form) {
            if (openssl_verify($data, $form, $key, $this->hash()) === 1) {
                return true;
            }
        }
        return false;
    }

    private function hash(): int
    {
        return $this === self::EcdsaP384 ? OPENSSL_ALGO_SHA384 : OPENSSL_ALGO_SHA256;
    }

    /** The size of one of the two numbers of an ECDSA signature. */
    private function numberBytes(): ?int
    {
        return match ($this) {
            self::EcdsaP256 => 32,
            self::EcdsaP384 => 48,
            self::RsaV15 => null,
        };
    }
}
