<?php

declare(strict_types=1);

namespace Malipo\Test;

use Malipo\Journal\FileJournal;
use Malipo\Journal\JournalEntry;
use Malipo\Malipo;
use PHPUnit\Framework\TestCase;

final class FileJournalTest extends TestCase
{
    private string $path;

    protected function setUp(): void
    {
        $this->path = sys_get_temp_dir() . '/journal-' . Malipo::newId();
    }

    protected function tearDown(): void
    {
        array_map(unlink(...), glob("$this->path*"));
    }

    private static function entry(string $id, ?string $reference = null): JournalEntry
    {
        return new JournalEntry('payout', $id, '2026-01-31T08:00:00Z', $reference);
    }

    public function testAnotherProcessFindsWhatWasNotSettled(): void
    {
        $journal = new FileJournal($this->path);
        $journal->remember([self::entry('a', 'invoice 7'), self::entry('b')]);
        $journal->settle([self::entry('B')]);
        self::assertEquals([self::entry('a', 'invoice 7')], (new FileJournal($this->path))->unsettled());
        self::assertSame('0600', substr(sprintf('%o', fileperms($this->path)), -4));
    }

    public function testAJournalThatDoesNotExistYetIsEmpty(): void
    {
        self::assertSame([], (new FileJournal($this->path))->unsettled());
    }

    public function testALineThatACrashCutDoesNotDamageOthers(): void
    {
        $journal = new FileJournal($this->path);
        $journal->remember([self::entry('a')]);
        file_put_contents($this->path, "\n" . '{"act":"remember","entry":{"kind":"pay', FILE_APPEND);
        $journal->remember([self::entry('b')]);
        self::assertEquals([self::entry('a'), self::entry('b')], $journal->unsettled());
    }

    public function testTheNodeSdkCanReadItAndTheOtherWayRound(): void
    {
        $line = '{"act":"remember","entry":{"kind":"deposit","id":"c","at":"2026-01-31T08:00:00.000Z"}}';
        file_put_contents($this->path, "\n$line");
        $journal = new FileJournal($this->path);
        self::assertSame('c', $journal->unsettled()[0]->id);
        $journal->remember([self::entry('d')]);
        $written = json_decode((string) last(file($this->path)), true);
        self::assertSame(['act' => 'remember', 'entry' => [
            'kind' => 'payout',
            'id' => 'd',
            'at' => '2026-01-31T08:00:00Z',
        ]], $written);
    }

    public function testSettledEntriesAreRemovedFromALargeFile(): void
    {
        $journal = new FileJournal($this->path);
        $journal->remember([self::entry('kept')]);
        $many = array_map(static fn (int $number) => self::entry("settled-$number"), range(1, 1_000));
        $journal->remember($many);
        $journal->settle($many);
        clearstatcache();
        self::assertLessThan(1_000, filesize($this->path));
        self::assertEquals([self::entry('kept')], $journal->unsettled());
    }

    public function testProcessesThatWriteAtTheSameTimeLoseNothing(): void
    {
        $program = <<<'PHP'
            require $argv[1];
            $journal = new Malipo\Journal\FileJournal($argv[2]);
            for ($count = 0; $count < 50; $count++) {
                $entry = new Malipo\Journal\JournalEntry('payout', "$argv[3]-$count", '');
                $journal->remember([$entry]);
                if ($count % 2 === 0) {
                    $journal->settle([$entry]);
                }
            }
            PHP;
        $processes = array_map(
            fn (int $number) => proc_open(
                [PHP_BINARY, '-r', $program, __DIR__ . '/../src/autoload.php', $this->path, "$number"],
                [],
                $pipes,
            ),
            range(1, 4),
        );
        self::assertSame([0, 0, 0, 0], array_map(proc_close(...), $processes));
        self::assertCount(100, (new FileJournal($this->path))->unsettled());
    }
}

/** @param array<mixed> $list */
function last(array $list): mixed
{
    return end($list);
}
