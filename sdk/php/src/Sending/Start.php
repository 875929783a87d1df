<?php

declare(strict_types=1);

namespace Malipo\Sending;

use Malipo\Journal\JournalEntry;
use Malipo\Kind;
use Malipo\MalipoException;
use Malipo\Outcome;
use Malipo\Started;

/**
 * Starts payments so that each is started at most once. The identifier is stored before anything is sent; after an
 * unclear result the gateway is asked what it has; and what it does not have is sent again with the same identifier,
 * which the gateway processes once. A new identifier is never created.
 */
final class Start
{
    /** @var array<string, Started> */
    private array $results = [];
    /** Set once a request may have been accepted without an answer, and never unset. */
    private bool $isInDoubt = false;
    private readonly int $deadlineMs;

    /** @param array<string, array<string, mixed>> $bodies The requests by their identifiers. */
    private function __construct(
        private readonly Parts $parts,
        private readonly Kind $kind,
        private readonly array $bodies,
        private readonly bool $isList,
    ) {
        $this->deadlineMs = $parts->deadlineMs();
    }

    /**
     * The outcome of each, in the same order. Throws only if the gateway certainly has none of them.
     *
     * @param list<array<string, mixed>> $bodies The requests, each with its identifier.
     * @return list<Started>
     */
    public static function requests(Parts $parts, Kind $kind, array $bodies, bool $isList): array
    {
        $entries = array_map(static fn (array $body) => self::journalEntry($kind, $body), $bodies);
        $byId = array_combine(array_column($bodies, $kind->idName()), $bodies);
        return $parts->sendStored($entries, static fn () => (new self($parts, $kind, $byId, $isList))->run());
    }

    /** @param array<string, mixed> $body */
    public static function journalEntry(Kind $kind, array $body): JournalEntry
    {
        $reference = $body['clientReferenceId'] ?? null;
        $at = gmdate('Y-m-d\TH:i:s\Z');
        return new JournalEntry($kind->value, $body[$kind->idName()], $at, is_string($reference) ? $reference : null);
    }

    /** @return list<Started> */
    private function run(): array
    {
        $trouble = $this->send();
        for ($attempts = 1; $trouble !== null && $this->isWorthAnother($trouble, $attempts); $attempts++) {
            $trouble = ($this->isInDoubt ? $this->ask($this->openIds()) : null) ?? $this->send();
        }
        if ($this->isInDoubt) {
            $this->askAgain();
        }
        $cause = $trouble?->cause ?? Problems::unreadable(200);
        return array_map(
            fn (string $id) => $this->results[$id] ?? Started::unknown($id, $cause),
            array_map(strval(...), array_keys($this->bodies)),
        );
    }

    /** @return list<string> */
    private function openIds(): array
    {
        return array_map(strval(...), array_keys(array_diff_key($this->bodies, $this->results)));
    }

    private function isWorthAnother(Trouble $trouble, int $attempts): bool
    {
        $waitMs = max($this->parts->pace->backoffMs($attempts), $trouble->retryAfterMs);
        if ($this->parts->pace->nowMs() + $waitMs > $this->deadlineMs) {
            return false;
        }
        $this->parts->pace->pause($waitMs);
        return true;
    }

    /** Sends what has no answer yet. Null if everything has an answer. */
    private function send(): ?Trouble
    {
        $open = array_values(array_diff_key($this->bodies, $this->results));
        if ($open === []) {
            return null;
        }
        $path = $this->isList ? "{$this->kind->path()}/bulk" : $this->kind->path();
        $call = new Call('POST', $path, $this->isList ? $open : $open[0], isInitiation: true);
        $answer = $this->parts->connection->send($call);
        $trouble = $answer instanceof Answered ? $this->read($answer) : $answer;
        if ($trouble !== null && !$trouble->isThrottled) {
            $this->isInDoubt = true;
        }
        return $trouble;
    }

    private function read(Answered $answer): ?Trouble
    {
        $refusal = Answers::readRefusal($answer);
        if ($refusal !== null) {
            // A refusal means that this request did nothing; it says nothing about earlier ones.
            return $this->isInDoubt ? new Trouble($refusal) : throw $refusal;
        }
        $started = Answers::readStarted($this->kind, $this->openIds(), $answer);
        if ($started === null) {
            return new Trouble(Problems::unreadable($answer->status));
        }
        foreach ($started as $one) {
            // In doubt, a duplicate means our own earlier request.
            $isOurs = $one->outcome === Outcome::Duplicate && $this->isInDoubt;
            $this->results[$one->id] = $isOurs ? $one->asAccepted() : $one;
        }
        return null;
    }

    /**
     * Finds out which of these the gateway has. Returns the problem that prevented it.
     *
     * @param list<string> $ids
     */
    private function ask(array $ids): ?Trouble
    {
        foreach ($ids as $id) {
            $answer = $this->lookUp($id);
            // A token may be allowed to pay but not to read. Sending again with the same identifier is as safe.
            if ($answer instanceof Trouble) {
                return $answer;
            }
        }
        return null;
    }

    private function lookUp(string $id): Answered|Trouble
    {
        $call = new Call('GET', $this->kind->pathOf($id));
        $answer = $this->parts->connection->sendUntilClear($call, $this->deadlineMs);
        $record = $answer instanceof Answered ? Answers::readLookup($answer) : null;
        if (is_array($record)) {
            $this->results[$id] = Answers::startedByRecord($this->kind, $id, $record);
        }
        return $answer;
    }

    /** A second attempt may be rejected because the first one was accepted late. Unless verified, it is unknown. */
    private function askAgain(): void
    {
        $cause = null;
        foreach ($this->results as $one) {
            if ($one->outcome !== Outcome::Rejected) {
                continue;
            }
            $cause ??= self::whyUnverified($this->lookUp($one->id));
            if ($cause !== null) {
                $this->results[$one->id] = Started::unknown($one->id, $cause);
            }
        }
    }

    /** Null if the gateway said whether it has the request. */
    private static function whyUnverified(Answered|Trouble $answer): ?MalipoException
    {
        if ($answer instanceof Trouble) {
            return $answer->cause;
        }
        return Answers::readLookup($answer) === null ? Problems::refused($answer) : null;
    }
}
