<?php

declare(strict_types=1);

namespace Malipo\Http;

use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;

/**
 * Sends with your own PSR-18 client. PSR-18 has no time-out for one request: set it in the client, and see to it that
 * the client neither repeats requests nor follows redirects.
 */
final class Psr18Transport implements Transport
{
    public function __construct(
        private readonly ClientInterface $client,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
    ) {
    }

    public function send(HttpRequest $request): HttpAnswer
    {
        $message = $this->requests->createRequest($request->method, $request->url);
        foreach ($request->headers as $name => $value) {
            $message = $message->withHeader($name, $value);
        }
        if ($request->body !== null) {
            $message = $message->withBody($this->streams->createStream($request->body));
        }
        try {
            $answer = $this->client->sendRequest($message);
            $body = (string) $answer->getBody();
        } catch (\Throwable $error) {
            throw new TransportFailure($error->getMessage(), false, $error);
        }
        $headers = [];
        foreach ($answer->getHeaders() as $name => $_) {
            $headers[strtolower((string) $name)] = $answer->getHeaderLine((string) $name);
        }
        return new HttpAnswer($answer->getStatusCode(), $headers, $body);
    }
}
