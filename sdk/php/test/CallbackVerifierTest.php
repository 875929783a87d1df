<?php

declare(strict_types=1);

namespace Malipo\Test;

use Malipo\Callbacks\CallbackRefused;
use Malipo\Callbacks\CallbackVerifier;
use Malipo\Callbacks\FileKeyCache;
use Malipo\Callbacks\MemoryKeyCache;
use Malipo\Callbacks\ReceivedCallback;
use Malipo\Callbacks\SignatureRule;
use Malipo\MalipoException;
use Malipo\Malipo;
use Malipo\Records\Deposit;
use Malipo\Testing\SignedCallback;
use PHPUnit\Framework\TestCase;

final class CallbackVerifierTest extends TestCase
{
    /** The parameters are not in the order of the alphabet, which one framework would put them into. */
    private const URL = 'https://shop.example/callbacks/caf%C3%A9?shop=1&a=%2F';

    private static function signed(string $url = self::URL, string $keyId = 'HTTP_EC_P256_KEY:1'): SignedCallback
    {
        return SignedCallback::create($url, [
            'depositId' => '2f4b6c1e-0000-4000-8000-000000000001',
            'status' => 'COMPLETED',
            'amount' => '100',
            'customerMessage' => 'Café',
        ], keyId: $keyId);
    }

    /** @return array<string, string> As PHP's servers hand it over. */
    private static function serverVariables(SignedCallback $callback): array
    {
        $server = [
            'REQUEST_METHOD' => 'POST',
            'REQUEST_URI' => substr($callback->url, strlen('https://shop.example')),
            'HTTP_HOST' => 'internal.example:8080',
            'CONTENT_TYPE' => $callback->headers['content-type'],
            'CONTENT_LENGTH' => (string) strlen($callback->body),
        ];
        foreach ($callback->headers as $name => $value) {
            if ($name !== 'content-type') {
                $server['HTTP_' . strtoupper(str_replace('-', '_', $name))] = $value;
            }
        }
        return $server;
    }

    public static function requests(): iterable
    {
        $callback = self::signed();
        $server = self::serverVariables($callback);
        yield 'the kit for tests' => [$callback->received()];
        yield 'variables of PHP' => [ReceivedCallback::fromPhp($server, $callback->body)];
        $inner = str_replace('shop.example', 'internal.example', self::URL);
        yield 'PSR-7 of Nyholm' => [
            new \Nyholm\Psr7\ServerRequest('POST', $inner, $callback->headers, $callback->body),
        ];
        yield 'PSR-7 of Guzzle' => [
            new \GuzzleHttp\Psr7\ServerRequest('POST', $inner, $callback->headers, $callback->body),
        ];
        yield 'Symfony, of which Laravel inherits' => [
            new \Symfony\Component\HttpFoundation\Request(server: $server, content: $callback->body),
        ];
    }

    /** @dataProvider requests */
    public function testARequestOfAnyFrameworkIsVerified(object $request): void
    {
        $keys = self::signed()->keys;
        foreach ([self::URL, 'https://shop.example'] as $url) {
            $verifier = new CallbackVerifier(static fn () => $keys, $url);
            $callback = $verifier->verify($request);
            self::assertInstanceOf(Deposit::class, $callback->payment);
            self::assertTrue($callback->payment->paid);
            self::assertSame('Café', $callback->payment->customerMessage);
        }
    }

    /** @dataProvider requests */
    public function testAGenuineCallbackToAnotherHostIsRefused(object $request): void
    {
        $verifier = new CallbackVerifier(static fn () => self::signed()->keys, 'https://internal.example');
        try {
            $verifier->verify($request);
            self::fail('It was accepted.');
        } catch (CallbackRefused $refused) {
            self::assertSame(SignatureRule::Signature, $refused->rule);
        }
    }

    public static function merchants(): iterable
    {
        yield 'another' => ['16fd2706-8baf-433b-82eb-8c7fada847da', 'the callback is for another merchant'];
        yield 'none' => [null, 'the signature names no merchant'];
    }

    /** @dataProvider merchants */
    public function testACallbackThatIsNotForTheMerchantIsRefused(?string $merchantId, string $cause): void
    {
        $own = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
        $payment = ['depositId' => Malipo::newId(), 'status' => 'COMPLETED'];
        $verifier = new CallbackVerifier(static fn () => self::signed()->keys, self::URL, merchantId: $own);
        $genuine = SignedCallback::create(self::URL, $payment, merchantId: $own);
        self::assertSame($payment['depositId'], $verifier->verify($genuine->received())->id);
        $this->expectExceptionMessage("(MERCHANT): $cause");
        $verifier->verify(SignedCallback::create(self::URL, $payment, merchantId: $merchantId)->received());
    }

    public function testSomethingElseThanARequestIsMisuse(): void
    {
        $verifier = new CallbackVerifier(static fn () => [], self::URL);
        $this->expectException(MalipoException::class);
        $this->expectExceptionMessage('stdClass');
        $verifier->verify(new \stdClass());
    }

    public function testAnAddressWithoutAHostIsMisuse(): void
    {
        $this->expectExceptionMessage('not an address');
        new CallbackVerifier(static fn () => [], '/callbacks');
    }

    public static function caches(): iterable
    {
        yield 'memory' => [static fn () => new MemoryKeyCache()];
        yield 'a file' => [static fn () => new FileKeyCache(sys_get_temp_dir() . '/' . Malipo::newId())];
    }

    /** @dataProvider caches */
    public function testTheKeysAreReadOnceAndNotForEveryStranger(callable $open): void
    {
        $cache = $open();
        $readings = 0;
        $readKeys = static function () use (&$readings): array {
            $readings++;
            return self::signed()->keys;
        };
        for ($count = 0; $count < 5; $count++) {
            // A new verifier each time, as PHP has it.
            $verifier = new CallbackVerifier($readKeys, self::URL, $cache);
            self::assertTrue($verifier->verify(self::signed()->received())->payment->paid);
            try {
                $verifier->verify(self::signed(keyId: 'STRANGER:1')->received());
                self::fail('A key that is not published was accepted.');
            } catch (CallbackRefused $refused) {
                self::assertSame(SignatureRule::Key, $refused->rule);
            }
        }
        self::assertSame(1, $readings);
    }

    public function testAnUnknownKeyIsLookedUp(): void
    {
        $cache = new MemoryKeyCache();
        $cache->write(['keys' => self::signed()->keys, 'readAt' => time() - 60]);
        $new = self::signed(keyId: 'HTTP_EC_P256_KEY:2');
        $verifier = new CallbackVerifier(static fn () => $new->keys, self::URL, $cache);
        self::assertTrue($verifier->verify($new->received())->payment->paid);
        self::assertSame($new->keys, $cache->read()['keys'], 'keys that are no longer published are dropped');
    }

    public function testWhileTheKeysCannotBeReadNothingIsCalledForged(): void
    {
        $fail = static fn () => throw new MalipoException(MalipoException::NETWORK, 'no network', '');
        $verifier = new CallbackVerifier($fail, self::URL);
        $this->expectException(MalipoException::class);
        $this->expectExceptionMessage('no network');
        $verifier->verify(self::signed()->received());
    }

    public function testAKeyOfYesterdayIsUsedWhileTheKeysCannotBeRead(): void
    {
        $cache = new MemoryKeyCache();
        $cache->write(['keys' => self::signed()->keys, 'readAt' => time() - 100_000]);
        $fail = static fn () => throw new MalipoException(MalipoException::NETWORK, 'no network', '');
        $verifier = new CallbackVerifier($fail, self::URL, $cache);
        self::assertTrue($verifier->verify(self::signed()->received())->payment->paid);
    }

    public function testAPublishedKeyIsNeverAFile(): void
    {
        $file = sys_get_temp_dir() . '/' . Malipo::newId();
        file_put_contents($file, self::signed()->keys[0]['key']);
        $keys = [['id' => 'HTTP_EC_P256_KEY:1', 'key' => "file://$file"]];
        $verifier = new CallbackVerifier(static fn () => $keys, self::URL);
        try {
            $verifier->verify(self::signed()->received());
            self::fail('It was accepted.');
        } catch (CallbackRefused $refused) {
            self::assertSame(SignatureRule::Algorithm, $refused->rule);
        } finally {
            unlink($file);
        }
    }
}
