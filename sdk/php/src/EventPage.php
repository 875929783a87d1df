<?php

declare(strict_types=1);

namespace Malipo;

/** Events, the oldest first. */
final class EventPage
{
    /**
     * @param list<array<string, mixed>> $events
     * @param string $next The cursor to go on with. Store it when you have processed the events.
     * @param bool $hasMore Whether there are more events now.
     * @param bool $expired The cursor could not be followed: events are deleted when they are old, and have other
     *   numbers after a restore. Then `events` is empty, and from `next` on no event is missing that there is.
     */
    public function __construct(
        public readonly array $events,
        public readonly string $next,
        public readonly bool $hasMore,
        public readonly bool $expired = false,
    ) {
    }
}
