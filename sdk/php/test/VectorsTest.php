<?php

declare(strict_types=1);

namespace Malipo\Test;

use Malipo\Callbacks\CallbackRefused;
use Malipo\Callbacks\CallbackVerifier;
use Malipo\Callbacks\ReceivedCallback;
use Malipo\Callbacks\SignatureRule;
use Malipo\Records\Payment;
use Malipo\Signing\Address;
use Malipo\Signing\Algorithm;
use Malipo\Signing\RequestSigner;
use Malipo\Signing\SignatureBase;
use PHPUnit\Framework\TestCase;

/** The signature cases that the SDKs of all languages share. */
final class VectorsTest extends TestCase
{
    private static function vectors(): array
    {
        $text = (string) file_get_contents(__DIR__ . '/../../conformance/vectors.json');
        return json_decode($text, true, flags: JSON_THROW_ON_ERROR);
    }

    private static function cases(string $member): iterable
    {
        foreach (self::vectors()[$member] as $case) {
            yield "{$case['algorithm']}: {$case['name']}" => [$case];
        }
    }

    public static function accepted(): iterable
    {
        return self::cases('accepted');
    }

    public static function refused(): iterable
    {
        return self::cases('refused');
    }

    public static function requests(): iterable
    {
        return self::cases('requests');
    }

    private static function verify(array $case): \Malipo\Callbacks\Callback
    {
        $request = $case['request'];
        $keys = self::vectors()['keys'];
        $clock = static fn () => new \DateTimeImmutable($case['now']);
        $merchantId = $case['merchantId'] ?? null;
        $verifier = new CallbackVerifier(
            static fn () => $keys,
            $request['url'],
            clock: $clock,
            merchantId: $merchantId,
        );
        return $verifier->verify(new ReceivedCallback($request['method'], '/', $request['headers'], $request['body']));
    }

    /** @dataProvider accepted */
    public function testAGenuineCallbackIsAcceptedUnlessItIsRsaPss(array $case): void
    {
        if ($case['algorithm'] === Algorithm::ABSENT) {
            $this->expectExceptionMessage('PHP cannot verify rsa-pss-sha512');
        }
        $callback = self::verify($case);
        $payment = $callback->payment;
        self::assertSame($case['expected'], [
            'kind' => $callback->kind?->value ?? 'other',
            'id' => $callback->id,
            'status' => $payment?->status ?? $callback->content['status'],
            'isFinal' => $payment?->isFinal,
            'paid' => $payment instanceof Payment && $payment->paid,
        ]);
        self::assertSame($case['request']['headers']['malipo-event-id'], $callback->eventId);
    }

    /** @dataProvider refused */
    public function testATamperedCallbackIsRefusedByItsRule(array $case): void
    {
        $isAbsent = $case['algorithm'] === Algorithm::ABSENT;
        $rule = $isAbsent ? SignatureRule::Algorithm : SignatureRule::from($case['rule']);
        try {
            self::verify($case);
        } catch (CallbackRefused $refused) {
            self::assertSame($rule, $refused->rule);
            return;
        }
        self::fail('It was accepted.');
    }

    /** @dataProvider requests */
    public function testARequestGetsTheSameHeadersAndAValidSignature(array $case): void
    {
        if ($case['algorithm'] === Algorithm::ABSENT) {
            // The same key signs with the other RSA algorithm here, which the case before this one covers.
            self::assertNull(Algorithm::tryFrom($case['algorithm']));
            return;
        }
        ['url' => $url, 'headers' => $headers, 'body' => $body] = $case['request'];
        $signer = new RequestSigner($case['keyId'], $case['privateKey']);
        $signed = $signer->sign($url, $headers, $body, new \DateTimeImmutable($case['now'])) + $headers;
        self::assertEquals($case['expected'], array_diff_key($signed, ['signature' => 1]));
        $address = Address::parse($url);
        $input = substr($signed['signature-input'], strlen('sig-pp='));
        $components = SignatureBase::componentsFor($address);
        self::assertSame($case['base'], SignatureBase::create('POST', $address, $signed, $components, $input));
        self::assertMatchesRegularExpression('/^sig-pp=:[^:]+:$/', $signed['signature']);
        $key = openssl_pkey_get_public($case['publicKey']);
        $algorithm = Algorithm::from($case['algorithm']);
        foreach ([$case['signature'], substr($signed['signature'], strlen('sig-pp=:'), -1)] as $signature) {
            $bytes = (string) base64_decode($signature, true);
            self::assertTrue($algorithm->isSignedBy($key, $bytes, $case['base']));
            self::assertFalse($algorithm->isSignedBy($key, $bytes, "{$case['base']} "));
        }
        if ($case['isDeterministic']) {
            self::assertSame("sig-pp=:{$case['signature']}:", $signed['signature']);
        }
    }

    public function testThereAre43TamperedCallbacks(): void
    {
        self::assertCount(43, self::vectors()['refused']);
    }

    public function testAnySingleBitOfABodyThatDiffersIsRefused(): void
    {
        $case = self::vectors()['accepted'][0];
        $body = $case['request']['body'];
        for ($bit = 0; $bit < 8 * strlen($body); $bit++) {
            $changed = $body;
            $changed[$bit >> 3] = chr(ord($body[$bit >> 3]) ^ 1 << ($bit & 7));
            $case['request']['body'] = $changed;
            try {
                self::verify($case);
                self::fail("Bit $bit was changed, and it was accepted.");
            } catch (CallbackRefused $refused) {
                self::assertSame(SignatureRule::Digest, $refused->rule);
            }
        }
    }
}
