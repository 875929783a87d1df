<?php

declare(strict_types=1);

namespace Malipo\Resources;

use Malipo\MalipoException;
use Malipo\Records\Record;
use Malipo\Sending\Connection;
use Malipo\Sending\Problems;
use Malipo\Sending\Start;
use Malipo\Started;

/**
 * Payments that can be created in lists: payouts and remittances.
 *
 * @template T of Record
 * @extends CancellableResource<T>
 */
final class ListedResource extends CancellableResource
{
    /** The gateway's maximum per list. */
    private const LIST_MAX = 20;

    /**
     * Creates any number of them, twenty per call. The outcomes are in the same order. If one of twenty does not fit
     * its schema, the whole call is rejected.
     *
     * @param list<array<string, mixed>> $requests
     * @return list<Started>
     */
    public function createMany(array $requests): array
    {
        $bodies = array_map($this->complete(...), array_values($requests));
        $this->requireDistinct(array_column($bodies, $this->kind->idName()));
        // What JSON cannot hold throws here, before anything is sent, and not in a later call.
        Connection::encode($bodies);
        $results = [];
        foreach (array_chunk($bodies, self::LIST_MAX) as $some) {
            array_push($results, ...$this->createSome($some, isFirst: $results === []));
        }
        return $results;
    }

    /**
     * Earlier results must not be lost because of a later request.
     *
     * @param list<array<string, mixed>> $bodies
     * @return list<Started>
     */
    private function createSome(array $bodies, bool $isFirst): array
    {
        try {
            return Start::requests($this->parts, $this->kind, $bodies, isList: true);
        } catch (\Throwable $error) {
            if ($isFirst) {
                throw $error;
            }
            $idName = $this->kind->idName();
            $cause = $error instanceof MalipoException ? $error : Problems::interrupted($error);
            return array_map(static fn (array $body) => Started::unknown($body[$idName], $cause), $bodies);
        }
    }

    /**
     * Two requests of one list with the same identifier would be one payment and look like two.
     *
     * @param list<string> $ids
     */
    private function requireDistinct(array $ids): void
    {
        $counts = array_count_values(array_map(strtolower(...), $ids));
        arsort($counts);
        if (current($counts) > 1) {
            $message = 'Two requests of the list have the identifier ' . key($counts) . '.';
            throw MalipoException::misuse($message, 'Give each request its own identifier, or none.');
        }
    }
}
