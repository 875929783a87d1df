<?php

declare(strict_types=1);

namespace Malipo\Resources;

use Malipo\Sending\Answered;
use Malipo\Sending\Call;
use Malipo\Sending\Parts;
use Malipo\Sending\Problems;

/** What is read before paying. */
abstract class Readings
{
    public function __construct(private readonly Parts $parts)
    {
    }

    protected function ask(Call $call): Answered
    {
        return $this->parts->ask($call);
    }

    /**
     * @param array<string, ?string> $filter
     * @return array<mixed>
     */
    protected function read(string $path, array $filter = []): array
    {
        $query = http_build_query($filter, '', '&', PHP_QUERY_RFC3986);
        $answer = $this->ask(new Call('GET', $query === '' ? $path : "$path?$query"));
        return $answer->status === 200 ? $answer->body : throw Problems::refused($answer);
    }
}
