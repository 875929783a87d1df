<?php

declare(strict_types=1);

namespace Malipo\Resources;

use Malipo\EventPage;
use Malipo\Sending\Answers;
use Malipo\Sending\Call;
use Malipo\Sending\Parts;
use Malipo\Sending\Problems;

/** Every new status and every movement of your wallets, the oldest first, numbered without gaps. */
final class Events
{
    /** A gateway with too many waiting requests answers at once: it is not asked more often than this. */
    private const EMPTY_PAGE_MS = 1_000;

    public function __construct(private readonly Parts $parts)
    {
    }

    /**
     * Reads one page. Store its `next` when you have processed it, and go on with that. Every event comes at least
     * once; one that you read again has the same `eventId`.
     *
     * @param ?string $after `next` of the page before. Null begins with the oldest event, 'latest' with the next one.
     * @param int $limit How many events a page has at most, 1 to 100.
     * @param int $wait How many seconds the gateway may wait for an event if there is none, 0 to 25.
     */
    public function read(?string $after = null, int $limit = 50, int $wait = 0): EventPage
    {
        $query = ['after' => $after, 'limit' => (string) $limit, 'wait' => (string) $wait];
        $text = http_build_query($query, '', '&', PHP_QUERY_RFC3986);
        $answer = $this->parts->ask(new Call('GET', "/v2/events?$text", waitMs: $wait * 1_000));
        $restart = $answer->body['restartAfter'] ?? null;
        if ($answer->status === 410 && is_string($restart)) {
            return new EventPage([], $restart, true, true);
        }
        $page = Answers::readPage($answer) ?? throw Problems::refused($answer);
        $next = $page['next'] ?? throw Problems::refused($answer);
        return new EventPage(array_values($page['data']), $next, ($answer->body['hasMore'] ?? null) === true);
    }

    /**
     * Goes on reading pages until you leave the loop, and waits where there are no events. Pages without events are
     * passed over, unless they are `expired`. For a program of the command line: it ends only with an exception, when
     * the gateway cannot be reached for `retryForMs`. Follow again from the cursor that you stored.
     *
     * @param ?string $after The cursor that you stored. Null begins with the oldest event, 'latest' with the next one.
     * @param int $limit How many events a page has at most, 1 to 100.
     * @param int $wait How many seconds the gateway may wait for an event, 0 to 25.
     * @return \Generator<int, EventPage>
     */
    public function follow(?string $after = null, int $limit = 50, int $wait = 20): \Generator
    {
        for (;;) {
            $askedAtMs = $this->parts->pace->nowMs();
            $page = $this->read($after, $limit, $wait);
            if ($page->events !== [] || $page->expired) {
                yield $page;
            } else {
                $this->parts->pace->pause(max(0, $askedAtMs + self::EMPTY_PAGE_MS - $this->parts->pace->nowMs()));
            }
            $after = $page->next;
        }
    }
}
