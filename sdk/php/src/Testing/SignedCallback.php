<?php

declare(strict_types=1);

namespace Malipo\Testing;

use Malipo\Callbacks\ReceivedCallback;
use Malipo\Malipo;
use Malipo\Signing\Address;
use Malipo\Signing\Algorithm;
use Malipo\Signing\ContentDigest;
use Malipo\Signing\SignatureBase;

/** A callback as the gateway makes it, signed with a key that exists for tests only. */
final class SignedCallback
{
    private const LIFETIME_SECONDS = 300;

    /**
     * @param array<string, string> $headers
     * @param list<array{id: string, key: string}> $keys What `$malipo->publicKeys->list()` returns.
     */
    private function __construct(
        public readonly string $url,
        public readonly array $headers,
        public readonly string $body,
        public readonly array $keys,
    ) {
    }

    /**
     * @param array<string, mixed> $payment The record in it.
     * @param ?string $merchantId For which merchant it is signed; default: none is named.
     */
    public static function create(
        string $url,
        array $payment,
        ?\DateTimeInterface $now = null,
        string $keyId = 'HTTP_EC_P256_KEY:1',
        ?string $merchantId = null,
    ): self {
        $now ??= new \DateTimeImmutable();
        $key = self::key();
        $body = json_encode($payment, JSON_THROW_ON_ERROR);
        $headers = [
            'content-type' => 'application/json; charset=UTF-8',
            'content-digest' => ContentDigest::render($body),
            'signature-date' => gmdate('Y-m-d\TH:i:s\Z', $now->getTimestamp()),
            'malipo-event-id' => Malipo::newId(),
        ];
        $address = Address::parse($url);
        $components = SignatureBase::componentsFor($address);
        $created = $now->getTimestamp();
        $input = SignatureBase::writeInput(
            $components,
            Algorithm::EcdsaP256,
            $keyId,
            $created,
            self::LIFETIME_SECONDS,
            $merchantId,
        );
        $base = (string) SignatureBase::create('POST', $address, $headers, $components, $input);
        $signature = base64_encode(Algorithm::EcdsaP256->sign($base, $key));
        $headers['signature-input'] = SignatureBase::LABEL . "=$input";
        $headers['signature'] = SignatureBase::LABEL . "=:$signature:";
        $published = openssl_pkey_get_details($key)['key'];
        return new self($url, $headers, $body, [['id' => $keyId, 'key' => $published]]);
    }

    /** For `$verifier->verify()`. */
    public function received(): ReceivedCallback
    {
        $parts = parse_url($this->url);
        $query = isset($parts['query']) ? "?{$parts['query']}" : '';
        return new ReceivedCallback('POST', ($parts['path'] ?? '/') . $query, $this->headers, $this->body);
    }

    /** One key for all callbacks of a process: to make one takes a moment. */
    private static function key(): \OpenSSLAsymmetricKey
    {
        static $key = null;
        return $key ??= openssl_pkey_new([
            'private_key_type' => OPENSSL_KEYTYPE_EC,
            'curve_name' => 'prime256v1',
        ]) ?: throw new \RuntimeException('OpenSSL cannot make a key.');
    }
}
