<?php

declare(strict_types=1);

namespace Malipo\Test;

use Malipo\Http\CurlTransport;
use Malipo\Http\HttpRequest;
use Malipo\Http\Psr18Transport;
use Malipo\Http\Transport;
use Malipo\Http\TransportFailure;
use PHPUnit\Framework\TestCase;

/** Both transports, over real connections to a server that answers as each test says. */
final class TransportTest extends TestCase
{
    /** Long enough for a machine that is busy. */
    private const PATIENT_MS = 30_000;

    /** @var resource */
    private $server;
    /** @var resource What arrives at the server. */
    private $seen;
    private string $url;

    /** Answers each connection with the next of these texts, and keeps it open where it says so. */
    private function serve(string ...$answers): void
    {
        $program = <<<'PHP'
            $server = stream_socket_server('tcp://127.0.0.1:0');
            fwrite(STDOUT, stream_socket_get_name($server, false) . "\n");
            foreach (json_decode($argv[1]) as $answer) {
                $client = stream_socket_accept($server, 60);
                $head = '';
                while (!str_contains($head, "\r\n\r\n")) {
                    $head .= fread($client, 1);
                }
                preg_match('/content-length: *(\d+)/i', $head, $match);
                $length = (int) ($match[1] ?? 0);
                $body = $length === 0 ? '' : stream_get_contents($client, $length);
                fwrite(STDERR, json_encode([$head, $body]) . "\n");
                if ($answer === 'silence') {
                    sleep(60);
                    continue;
                }
                fwrite($client, $answer);
                fclose($client);
            }
            PHP;
        $command = [PHP_BINARY, '-r', $program, '--', json_encode($answers)];
        $this->server = proc_open($command, [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes);
        $this->url = 'http://' . trim((string) fgets($pipes[1]));
        $this->seen = $pipes[2];
    }

    /** @return array{string, string} The head and the body of the next request that arrived. */
    private function nextRequest(): array
    {
        return json_decode((string) fgets($this->seen), true);
    }

    protected function tearDown(): void
    {
        proc_terminate($this->server);
        proc_close($this->server);
    }

    public static function transports(): iterable
    {
        yield 'curl' => [static fn (): Transport => new CurlTransport()];
        $factory = new \GuzzleHttp\Psr7\HttpFactory();
        yield 'PSR-18' => [static function (int $timeoutMs) use ($factory): Transport {
            $client = new \GuzzleHttp\Client(['timeout' => $timeoutMs / 1_000]);
            return new Psr18Transport($client, $factory, $factory);
        }];
    }

    private function request(int $timeoutMs = self::PATIENT_MS): HttpRequest
    {
        $headers = ['authorization' => 'Bearer t', 'content-type' => 'application/json'];
        return new HttpRequest('POST', "$this->url/v2/deposits", $headers, '{"a":"é"}', $timeoutMs);
    }

    /** @dataProvider transports */
    public function testARequestArrivesAndItsAnswerIsReturned(callable $open): void
    {
        $this->serve("HTTP/1.1 429 Too Many\r\nRetry-After: 7\r\nContent-Length: 3\r\n\r\n{ }");
        $answer = $open(self::PATIENT_MS)->send($this->request());
        self::assertSame([429, '7', '{ }'], [$answer->status, $answer->headers['retry-after'], $answer->body]);
        [$head, $body] = $this->nextRequest();
        self::assertStringStartsWith("POST /v2/deposits HTTP/1.1\r\n", $head);
        self::assertStringContainsStringIgnoringCase("\r\nauthorization: Bearer t\r\n", $head);
        self::assertSame('{"a":"é"}', $body);
    }

    /** @dataProvider transports */
    public function testARedirectIsNotFollowed(callable $open): void
    {
        $this->serve("HTTP/1.1 307 Elsewhere\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n", 'unwanted');
        self::assertSame(307, $open(self::PATIENT_MS)->send($this->request())->status);
    }

    public static function brokenAnswers(): iterable
    {
        foreach (self::transports() as $name => [$open]) {
            yield "$name: nothing" => [$open, ''];
            yield "$name: half of the head" => [$open, "HTTP/1.1 200 OK\r\nContent-Le"];
            yield "$name: half of the body" => [$open, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":1}"];
            yield "$name: half of the chunks" => [
                $open,
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{\"a\":1}\r\n",
            ];
            yield "$name: silence" => [$open, 'silence'];
        }
    }

    /** @dataProvider brokenAnswers */
    public function testAnIncompleteAnswerIsAFailure(callable $open, string $answer): void
    {
        $this->serve($answer);
        $timeoutMs = $answer === 'silence' ? 500 : self::PATIENT_MS;
        $this->expectException(TransportFailure::class);
        $open($timeoutMs)->send($this->request($timeoutMs));
    }

    public function testCurlTellsATimeOutFromABrokenConnection(): void
    {
        $this->serve('silence');
        try {
            (new CurlTransport())->send($this->request(timeoutMs: 500));
            self::fail('There is an answer.');
        } catch (TransportFailure $failure) {
            self::assertTrue($failure->isTimeout);
        }
    }

    public function testOnlyAnswersToThisRequestAreRead(): void
    {
        $interim = "HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\n";
        $this->serve("{$interim}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        $answer = (new CurlTransport())->send($this->request());
        self::assertSame([200, false], [$answer->status, isset($answer->headers['retry-after'])]);
    }
}
