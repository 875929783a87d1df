<?php

declare(strict_types=1);

namespace Malipo\Journal;

/**
 * Stores identifiers in a file, one per line, on disk before anything is sent. Any number of PHP processes of one
 * machine can share it. It contains no personal data. The file of the Node SDK has the same format.
 */
final class FileJournal implements Journal
{
    /** Above this size settled entries are removed from the file. */
    private const COMPACT_BYTES = 100_000;

    public function __construct(private readonly string $path)
    {
    }

    public function remember(array $entries): void
    {
        $this->locked(fn () => $this->append('remember', $entries));
    }

    public function settle(array $entries): void
    {
        $this->locked(function () use ($entries): void {
            $this->append('settle', $entries);
            clearstatcache(true, $this->path);
            if (filesize($this->path) > self::COMPACT_BYTES) {
                $this->compact();
            }
        });
    }

    public function unsettled(): array
    {
        return $this->locked(fn () => $this->read());
    }

    /** @param list<JournalEntry> $entries */
    private function append(string $act, array $entries): void
    {
        if ($entries !== []) {
            self::writeLines($this->path, 'a', $act, $entries);
        }
    }

    /** The new file replaces the old one at once, so that a crash loses nothing. */
    private function compact(): void
    {
        self::writeLines("$this->path.new", 'w', 'remember', $this->read());
        rename("$this->path.new", $this->path) ?: throw self::failed("$this->path cannot be replaced");
    }

    /** @return list<JournalEntry> */
    private function read(): array
    {
        $unsettled = new MemoryJournal();
        foreach (is_file($this->path) ? (array) file($this->path) : [] as $text) {
            $line = json_decode((string) $text, true);
            $fields = $line['entry'] ?? null;
            // A crash can leave an incomplete last line. Nothing was sent for it: a line is on disk before sending.
            if (!is_array($fields)) {
                continue;
            }
            $entry = new JournalEntry(...array_intersect_key($fields, self::NAMES));
            $line['act'] === 'remember' ? $unsettled->remember([$entry]) : $unsettled->settle([$entry]);
        }
        return $unsettled->unsettled();
    }

    private const NAMES = ['kind' => 1, 'id' => 1, 'at' => 1, 'clientReferenceId' => 1];

    /** @param list<JournalEntry> $entries */
    private static function writeLines(string $path, string $mode, string $act, array $entries): void
    {
        $text = '';
        foreach ($entries as $entry) {
            $fields = array_filter(get_object_vars($entry), static fn ($value) => $value !== null);
            // Each line starts with its own line break, so that a line cut by a full disk does not damage the next.
            $text .= "\n" . json_encode(['act' => $act, 'entry' => $fields], JSON_THROW_ON_ERROR);
        }
        $file = @fopen($path, $mode);
        if ($file === false || fwrite($file, $text) !== strlen($text) || !fsync($file)) {
            throw self::failed("$path cannot be written");
        }
        fclose($file);
        chmod($path, 0600);
    }

    /**
     * @template T
     * @param callable(): T $work
     * @return T
     */
    private function locked(callable $work): mixed
    {
        $lock = @fopen("$this->path.lock", 'c');
        if ($lock === false || !flock($lock, LOCK_EX)) {
            throw self::failed("$this->path.lock cannot be locked");
        }
        try {
            return $work();
        } finally {
            fclose($lock);
        }
    }

    private static function failed(string $why): \RuntimeException
    {
        return new \RuntimeException("The journal cannot be used, and nothing is sent without it: $why.");
    }
}
