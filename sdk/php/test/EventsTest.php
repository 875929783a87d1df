<?php

declare(strict_types=1);

namespace Malipo\Test;

use Malipo\Http\HttpRequest;
use Malipo\Testing\FakeGateway;
use Malipo\Testing\InstantPace;
use PHPUnit\Framework\TestCase;

final class EventsTest extends TestCase
{
    private FakeGateway $gateway;

    protected function setUp(): void
    {
        $this->gateway = new FakeGateway();
    }

    public function testFollowingPassesOverEmptyPagesWithoutHurry(): void
    {
        $pace = new InstantPace();
        $this->gateway->answerNext(200, '{"data":[],"next":"a","hasMore":false}');
        $this->gateway->answerNext(410, '{"failureReason":{},"restartAfter":"b"}');
        $this->gateway->answerNext(200, '{"data":[{"number":1}],"next":"c","hasMore":false}');
        $this->gateway->answerNext(200, '{"data":[{"number":2}],"next":"d","hasMore":false}');
        $pages = $this->gateway->client(pace: $pace)->events->follow('stored', wait: 25);
        $seen = [];
        foreach ($pages as $page) {
            $seen[] = [$page->next, $page->expired, array_column($page->events, 'number')];
            if ($page->next === 'd') {
                break;
            }
        }
        self::assertSame([['b', true, []], ['c', false, [1]], ['d', false, [2]]], $seen);
        self::assertSame(1_000, $pace->nowMs());
        $asked = array_map(static fn (HttpRequest $one) => $one->url, $this->gateway->requests);
        foreach (['stored', 'a', 'b', 'c'] as $at => $after) {
            self::assertStringEndsWith("/v2/events?after=$after&limit=50&wait=25", $asked[$at]);
        }
        self::assertSame(35_000, $this->gateway->requests[0]->timeoutMs);
    }

    public function testTheFakeGatewayHasAFeedOfStatuses(): void
    {
        $malipo = $this->gateway->client();
        $first = $malipo->deposits->create(['amount' => '100', 'currency' => 'RWF']);
        $latest = $malipo->events->read('latest');
        self::assertSame([], $latest->events);
        $malipo->checkouts->create([]);
        $this->gateway->fail($first->id);
        $told = static fn (array $event) => [$event['number'], $event['kind'], $event['id'], $event['status']];
        $failed = [2, 'DEPOSIT', $first->id, 'FAILED'];
        self::assertSame([$failed], array_map($told, $malipo->events->read($latest->next)->events));
        $page = $malipo->events->read(limit: 1);
        self::assertSame([[1, 'DEPOSIT', $first->id, 'PROCESSING']], array_map($told, $page->events));
        self::assertTrue($page->hasMore);
        $page = $malipo->events->read($page->next);
        self::assertSame('FAILED', $page->events[0]['deposit']['status']);
        self::assertFalse($page->hasMore);
    }
}
