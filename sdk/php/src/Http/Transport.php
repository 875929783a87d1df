<?php

declare(strict_types=1);

namespace Malipo\Http;

/**
 * Sends one request, once. It must not follow redirects, which would give the token to another host, and must not
 * repeat a request by itself.
 */
interface Transport
{
    /** @throws TransportFailure if there is no complete answer */
    public function send(HttpRequest $request): HttpAnswer;
}
