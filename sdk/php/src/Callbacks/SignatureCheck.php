<?php

declare(strict_types=1);

namespace Malipo\Callbacks;

use Malipo\Signing\Address;
use Malipo\Signing\Algorithm;
use Malipo\Signing\ContentDigest;
use Malipo\Signing\SignatureBase;
use Malipo\Signing\StructuredHeader;

/**
 * Checks that a received request has a valid signature of the gateway: by one of its keys, over everything that
 * matters, and recent. The rules are checked in order, and the first broken one is thrown.
 */
final class SignatureCheck
{
    /** The allowed clock difference. */
    private const CLOCK_SKEW_SECONDS = 60;

    /**
     * @param list<string> $components
     * @param array<string, string|int> $parameters
     */
    private function __construct(
        private readonly ReceivedCallback $request,
        private readonly array $components,
        private readonly array $parameters,
        private readonly string $inputText,
        private readonly string $signature,
    ) {
    }

    /** @throws CallbackRefused if there is no signature that can be read */
    public static function of(ReceivedCallback $request): self
    {
        $inputs = StructuredHeader::readDictionary($request->headers['signature-input'] ?? '');
        $signatures = StructuredHeader::readDictionary($request->headers['signature'] ?? '');
        if ($inputs === null || $signatures === null) {
            throw self::fault(SignatureRule::Headers, 'Signature-Input or Signature is missing or cannot be read');
        }
        $label = isset($inputs[SignatureBase::LABEL]) ? SignatureBase::LABEL : (string) array_key_first($inputs);
        $input = StructuredHeader::readSignatureInput($inputs[$label]);
        $bytes = self::readBytes($signatures[$label] ?? '');
        if ($input === null || $bytes === null) {
            throw self::fault(SignatureRule::Headers, "the signature $label cannot be read");
        }
        return new self($request, $input[0], $input[1], $inputs[$label], $bytes);
    }

    private static function readBytes(string $member): ?string
    {
        if (preg_match('/^:([A-Za-z0-9+\/]*={0,2}):$/D', $member, $match) !== 1 || strlen($match[1]) % 4 !== 0) {
            return null;
        }
        $bytes = base64_decode($match[1], true);
        return $bytes === false ? null : $bytes;
    }

    /** The key that the signature names, if it names one. */
    public function keyId(): ?string
    {
        $keyId = $this->parameters['keyid'] ?? null;
        return is_string($keyId) ? $keyId : null;
    }

    /**
     * @param list<array{id: string, key: string}> $keys The published keys.
     * @param ?string $merchantId Null: callbacks for any merchant are accepted.
     * @throws CallbackRefused
     */
    public function require(
        Address $address,
        array $keys,
        \DateTimeInterface $now,
        int $ageMaxSeconds,
        ?string $merchantId,
    ): void {
        $algorithm = $this->requireForm($address);
        $this->requireMerchant($merchantId);
        $this->requireTime((float) $now->format('U.u'), $ageMaxSeconds);
        $key = $this->requireKey($keys, $algorithm);
        $this->requireBody();
        $this->requireSignature($address, $key, $algorithm);
    }

    private function requireForm(Address $address): Algorithm
    {
        foreach (['alg', 'keyid', 'created', 'expires'] as $name) {
            if (!isset($this->parameters[$name])) {
                throw self::fault(SignatureRule::Parameters, "the signature lacks the parameter $name");
            }
        }
        foreach (SignatureBase::componentsFor($address) as $name) {
            if (!in_array($name, $this->components, true)) {
                throw self::fault(SignatureRule::Components, "the signature does not cover $name");
            }
        }
        $named = (string) $this->parameters['alg'];
        $cause = $named === Algorithm::ABSENT
            ? "PHP cannot verify $named"
            : 'the signature has an unknown algorithm';
        return Algorithm::tryFrom($named) ?? throw self::fault(SignatureRule::Algorithm, $cause);
    }

    private function requireMerchant(?string $merchantId): void
    {
        $tag = $this->parameters['tag'] ?? null;
        $cause = match (true) {
            $merchantId === null => null,
            !is_string($tag) => 'the signature names no merchant',
            strtolower($tag) !== strtolower($merchantId) => 'the callback is for another merchant',
            default => null,
        };
        if ($cause !== null) {
            throw self::fault(SignatureRule::Merchant, $cause);
        }
    }

    private function requireTime(float $now, int $ageMaxSeconds): void
    {
        [$created, $expires] = [(int) $this->parameters['created'], (int) $this->parameters['expires']];
        $cause = match (true) {
            $created > $now + self::CLOCK_SKEW_SECONDS => 'it was signed in the future',
            $now - $created > $ageMaxSeconds + self::CLOCK_SKEW_SECONDS =>
                "it was signed more than $ageMaxSeconds seconds ago",
            $now > $expires + self::CLOCK_SKEW_SECONDS => 'the signature has expired',
            default => null,
        };
        if ($cause !== null) {
            throw self::fault(SignatureRule::Time, $cause);
        }
    }

    /**
     * The published key decides: a signature cannot choose an algorithm that its key is not for.
     *
     * @param list<array{id: string, key: string}> $keys
     */
    private function requireKey(array $keys, Algorithm $algorithm): \OpenSSLAsymmetricKey
    {
        $published = array_column($keys, 'key', 'id')[$this->parameters['keyid']] ?? null;
        if ($published === null) {
            throw self::fault(SignatureRule::Key, 'the gateway has no key with this keyid');
        }
        // OpenSSL would also take the path of a file.
        $isPem = str_starts_with(ltrim($published), '-----BEGIN PUBLIC KEY-----');
        $key = $isPem ? openssl_pkey_get_public($published) : false;
        if ($key === false || Algorithm::ofKey($key) !== $algorithm) {
            throw self::fault(SignatureRule::Algorithm, "the published key is not one for $algorithm->value");
        }
        return $key;
    }

    private function requireBody(): void
    {
        $cause = ContentDigest::findFault($this->request->headers['content-digest'] ?? '', $this->request->body);
        if ($cause !== null) {
            throw self::fault(SignatureRule::Digest, $cause);
        }
    }

    private function requireSignature(Address $address, \OpenSSLAsymmetricKey $key, Algorithm $algorithm): void
    {
        $request = $this->request;
        $base = SignatureBase::create(
            $request->method,
            $address,
            $request->headers,
            $this->components,
            $this->inputText,
        );
        if ($base === null) {
            $cause = 'the signature covers a component that the request does not have';
            throw self::fault(SignatureRule::Components, $cause);
        }
        if (!$algorithm->isSignedBy($key, $this->signature, $base)) {
            $cause = 'the signature is not valid: check that url is the public URL';
            throw self::fault(SignatureRule::Signature, $cause);
        }
    }

    private static function fault(SignatureRule $rule, string $cause): CallbackRefused
    {
        return new CallbackRefused($rule, $cause);
    }
}
