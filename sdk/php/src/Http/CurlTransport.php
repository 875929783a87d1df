<?php

declare(strict_types=1);

namespace Malipo\Http;

/** Sends with PHP's curl extension. The connection is kept for further requests that only read. */
final class CurlTransport implements Transport
{
    private ?\CurlHandle $handle = null;

    /** @param array<int, mixed> $options Further CURLOPT_ options, for a proxy or certificates of your own. */
    public function __construct(private readonly array $options = [])
    {
    }

    public function send(HttpRequest $request): HttpAnswer
    {
        $handle = $this->handle ??= curl_init();
        curl_reset($handle);
        $headers = [];
        $isHeadComplete = false;
        curl_setopt_array($handle, $this->optionsOf($request) + $this->options + [
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$headers, &$isHeadComplete): int {
                // Interim answers come first, each with a status line of its own.
                if (str_starts_with($line, 'HTTP/')) {
                    $headers = [];
                }
                $isHeadComplete = trim($line) === '';
                $parts = explode(':', $line, 2);
                if (isset($parts[1])) {
                    $headers[strtolower(trim($parts[0]))] = trim($parts[1]);
                }
                return strlen($line);
            },
        ]);
        $body = curl_exec($handle);
        if (!is_string($body)) {
            throw new TransportFailure(curl_error($handle), curl_errno($handle) === CURLE_OPERATION_TIMEDOUT);
        }
        // curl takes an answer that ends in the middle of its head for one without a body.
        if (!$isHeadComplete) {
            throw new TransportFailure('the answer is incomplete', false);
        }
        return new HttpAnswer(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $headers, $body);
    }

    /** @return array<int, mixed> */
    private function optionsOf(HttpRequest $request): array
    {
        $lines = ['Expect:'];
        foreach ($request->headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        $options = [
            CURLOPT_URL => $request->url,
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => max(1, $request->timeoutMs),
            // Without it, time-outs below a second fail at once on some systems.
            CURLOPT_NOSIGNAL => true,
        ];
        if ($request->method !== 'GET') {
            // On a kept connection that has died curl sends again by itself, and the answer would be about the second.
            $options += [CURLOPT_FRESH_CONNECT => true, CURLOPT_POSTFIELDS => $request->body ?? ''];
        }
        return $options;
    }
}
