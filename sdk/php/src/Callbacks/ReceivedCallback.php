<?php

declare(strict_types=1);

namespace Malipo\Callbacks;

use Malipo\MalipoException;

/** A request as received, from whatever the framework hands over. */
final class ReceivedCallback
{
    /** @var array<string, string> By name in lower case. */
    public readonly array $headers;

    /**
     * @param string $target The path with its query, as the request names it.
     * @param array<string, string|list<string>> $headers
     * @param string $body The bytes as received; not JSON that was parsed and written again.
     */
    public function __construct(
        public readonly string $method,
        public readonly string $target,
        array $headers,
        public readonly string $body,
    ) {
        $texts = [];
        foreach ($headers as $name => $value) {
            $texts[strtolower((string) $name)] = implode(', ', (array) $value);
        }
        $this->headers = $texts;
    }

    /** From PHP's own variables, a PSR-7 request, or a request of Symfony or Laravel. */
    public static function from(?object $request): self
    {
        return match (true) {
            $request === null => self::fromPhp($_SERVER, (string) file_get_contents('php://input')),
            $request instanceof self => $request,
            method_exists($request, 'getHeaderLine') && method_exists($request, 'getUri') => self::fromPsr7($request),
            method_exists($request, 'getContent') && isset($request->headers) => self::fromSymfony($request),
            default => throw MalipoException::misuse(
                get_class($request) . ' is not a request that is known here.',
                'Give a PSR-7 request, one of Symfony or Laravel, a ReceivedCallback, or nothing.',
            ),
        };
    }

    /** @param array<string, mixed> $server $_SERVER */
    public static function fromPhp(array $server, string $body): self
    {
        $headers = [];
        foreach ($server as $name => $value) {
            if (preg_match('/^(?:HTTP_|(?=CONTENT_(?:TYPE|LENGTH)$))(.+)$/D', (string) $name, $match) === 1) {
                $headers[str_replace('_', '-', $match[1])] = (string) $value;
            }
        }
        $method = (string) ($server['REQUEST_METHOD'] ?? 'POST');
        return new self($method, (string) ($server['REQUEST_URI'] ?? '/'), $headers, $body);
    }

    /** @param \Psr\Http\Message\RequestInterface $request */
    private static function fromPsr7(object $request): self
    {
        $uri = $request->getUri();
        $target = $uri->getPath() . ($uri->getQuery() === '' ? '' : "?{$uri->getQuery()}");
        return new self($request->getMethod(), $target, $request->getHeaders(), (string) $request->getBody());
    }

    /** @param \Symfony\Component\HttpFoundation\Request $request */
    private static function fromSymfony(object $request): self
    {
        // Not getUri(): it sorts the parameters of the query, and the signature is over the query as sent.
        $target = $request->getRequestUri();
        return new self($request->getMethod(), $target, $request->headers->all(), (string) $request->getContent());
    }
}
