<?php

declare(strict_types=1);

namespace Malipo\Signing;

use Malipo\MalipoException;

/** Signs requests that start payments, for accounts that require it. */
final class RequestSigner
{
    /** The gateway accepts five minutes; a request arrives within seconds. */
    private const LIFETIME_SECONDS = 60;

    private readonly \OpenSSLAsymmetricKey $key;
    private readonly Algorithm $algorithm;

    /**
     * @param string $keyId The name under which the public key is registered.
     * @param string $privateKey In PEM format, as `openssl genpkey` writes it, or file:// and the path of such a file.
     * @param ?string $passphrase If the key is encrypted.
     */
    public function __construct(
        private readonly string $keyId,
        #[\SensitiveParameter] string $privateKey,
        #[\SensitiveParameter] ?string $passphrase = null,
    ) {
        $key = openssl_pkey_get_private($privateKey, $passphrase);
        $algorithm = $key === false ? null : Algorithm::ofKey($key);
        if ($key === false || $algorithm === null) {
            $whatToDo = 'Give a key on curve P-256 or P-384, or an RSA key, in PEM format.';
            throw MalipoException::misuse('The private key for signing cannot be used.', $whatToDo);
        }
        $this->key = $key;
        $this->algorithm = $algorithm;
    }

    /**
     * The signature headers of a request.
     *
     * @param array<string, string> $headers By name in lower case.
     * @return array<string, string>
     */
    public function sign(string $url, array $headers, string $text, ?\DateTimeInterface $now = null): array
    {
        $now ??= new \DateTimeImmutable();
        $added = [
            'content-digest' => ContentDigest::render($text),
            'signature-date' => gmdate('Y-m-d\TH:i:s', $now->getTimestamp()) . $now->format('.v\Z'),
        ];
        $address = Address::parse($url);
        $components = SignatureBase::componentsFor($address);
        $created = $now->getTimestamp();
        $input =
            SignatureBase::writeInput($components, $this->algorithm, $this->keyId, $created, self::LIFETIME_SECONDS);
        $base = (string) SignatureBase::create('POST', $address, $headers + $added, $components, $input);
        $signature = base64_encode($this->algorithm->sign($base, $this->key));
        return $added + [
            'signature-input' => SignatureBase::LABEL . "=$input",
            'signature' => SignatureBase::LABEL . "=:$signature:",
        ];
    }
}
