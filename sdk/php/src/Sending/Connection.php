<?php

declare(strict_types=1);

namespace Malipo\Sending;

use Malipo\Http\HttpAnswer;
use Malipo\Http\HttpRequest;
use Malipo\Http\Transport;
use Malipo\Http\TransportFailure;
use Malipo\MalipoException;
use Malipo\Signing\RequestSigner;
use Psr\Log\LoggerInterface;

/**
 * One request and its result. Only a complete answer of the gateway counts; everything else is unclear, and the caller
 * must find out what the request did.
 */
final class Connection
{
    private readonly string $baseUrl;

    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] private readonly string $token,
        private readonly Transport $transport,
        private readonly Pace $pace,
        private readonly int $timeoutMs,
        private readonly ?RequestSigner $signer,
        private readonly ?LoggerInterface $logger,
    ) {
        $this->baseUrl = rtrim($baseUrl, '/');
        self::requireUsable($this->baseUrl, $token);
    }

    public function send(Call $call): Answered|Trouble
    {
        $request = $this->prepare($call);
        try {
            $result = self::read($this->transport->send($request));
        } catch (\Throwable $error) {
            // Whatever a transport throws, the request may have been sent.
            $result = new Trouble($error instanceof TransportFailure && $error->isTimeout
                ? Problems::noAnswer($request->timeoutMs, $error)
                : Problems::noConnection($error));
        }
        if ($result instanceof Trouble) {
            $this->logger?->warning('Malipo: no clear answer to {method} {path}: {code}', [
                'method' => $call->method,
                'path' => $call->path,
                'code' => $result->cause->errorCode,
                'httpStatus' => $result->cause->httpStatus,
            ]);
        }
        return $result;
    }

    /** Repeats a request until its answer is clear or the time is over. */
    public function sendUntilClear(Call $call, int $deadlineMs): Answered|Trouble
    {
        for ($attempts = 1;; $attempts++) {
            $answer = $this->send($call);
            if ($answer instanceof Answered) {
                return $answer;
            }
            $waitMs = max($this->pace->backoffMs($attempts), $answer->retryAfterMs);
            if ($this->pace->nowMs() + $waitMs > min($deadlineMs, $call->untilMs ?? PHP_INT_MAX)) {
                return $answer;
            }
            $this->pace->pause($waitMs);
        }
    }

    private function prepare(Call $call): HttpRequest
    {
        $url = $this->baseUrl . $call->path;
        $headers = ['authorization' => "Bearer $this->token"];
        $text = $call->body === null ? null : self::encode($call->body);
        if ($text !== null) {
            $headers['content-type'] = 'application/json';
        }
        if ($text !== null && $call->isInitiation && $this->signer !== null) {
            $headers += $this->signer->sign($url, $headers, $text);
        }
        $leftMs = ($call->untilMs ?? PHP_INT_MAX) - $this->pace->nowMs();
        $timeoutMs = min($this->timeoutMs + $call->waitMs, max(1, $leftMs));
        return new HttpRequest($call->method, $url, $headers, $text, $timeoutMs);
    }

    /** @param array<mixed> $body */
    public static function encode(array $body): string
    {
        try {
            return json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        } catch (\JsonException $error) {
            $whatToDo = 'Give texts in UTF-8.';
            throw MalipoException::misuse("The request is not JSON: {$error->getMessage()}.", $whatToDo);
        }
    }

    private static function read(HttpAnswer $answer): Answered|Trouble
    {
        $retryAfterMs = self::readRetryAfter($answer->headers['retry-after'] ?? null);
        if ($answer->status === 429) {
            return new Trouble(Problems::tooOften(), $retryAfterMs, isThrottled: true);
        }
        if ($answer->status >= 500) {
            return new Trouble(Problems::gatewayFailed($answer->status), $retryAfterMs);
        }
        $body = json_decode($answer->body, true, 512, JSON_BIGINT_AS_STRING);
        return is_array($body)
            ? new Answered($answer->status, $body)
            : new Trouble(Problems::unreadable($answer->status));
    }

    /** Seconds or a date, as RFC 9110 has it. */
    private static function readRetryAfter(?string $text): int
    {
        if ($text === null) {
            return 0;
        }
        $seconds = ctype_digit($text) ? (int) $text : (int) strtotime($text) - time();
        return max(0, $seconds) * 1_000;
    }

    private static function requireUsable(string $baseUrl, #[\SensitiveParameter] string $token): void
    {
        if (preg_match('#^https?://[^/?\#\s]+(/[^?\#\s]*)?$#i', $baseUrl) !== 1) {
            $whatToDo = 'Give the address of the gateway, with https:// or http:// and without /v2.';
            throw MalipoException::misuse('baseUrl is not an address.', $whatToDo);
        }
        if ($token === '') {
            throw MalipoException::misuse('The token is empty.', 'Give an API token of your account.');
        }
        if (preg_match('/^[\x21-\x7e]+$/D', $token) !== 1) {
            $whatToDo = 'Give the token as it was issued, without spaces or line breaks around it.';
            throw MalipoException::misuse('The token cannot be sent in a header.', $whatToDo);
        }
    }

    /** Keeps the token out of var_dump() and logs. @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl, 'token' => '…'];
    }
}
