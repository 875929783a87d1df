<?php

declare(strict_types=1);

namespace Malipo\Resources;

use Malipo\Found;
use Malipo\Kind;
use Malipo\MalipoException;
use Malipo\Records\Record;
use Malipo\Sending\Answers;
use Malipo\Sending\Call;
use Malipo\Sending\Parts;
use Malipo\Sending\Problems;
use Malipo\Still;

/**
 * What can be read.
 *
 * @template T of Record
 */
class Inquiries
{
    private const FIRST_INTERVAL_MS = 250;
    private const LONGEST_INTERVAL_MS = 5_000;

    public function __construct(protected readonly Parts $parts, protected readonly Kind $kind)
    {
    }

    /**
     * Asks for one. `found` only says that the gateway has it; its outcome is the status of the payment.
     *
     * @return Found<T>
     */
    public function get(string $id): Found
    {
        return $this->lookUp($id, null);
    }

    /**
     * Asks until it is final or the time is over; then it returns the current status. In a web page rather wait for
     * the callback: this call holds a PHP process.
     *
     * @param int $timeoutMs Default: two minutes, the usual time a payer has for the PIN.
     * @return T|Still
     */
    public function waitForFinal(string $id, int $timeoutMs = 120_000): Record|Still
    {
        $untilMs = $this->parts->pace->nowMs() + $timeoutMs;
        $still = 'UNREACHABLE';
        for ($intervalMs = self::FIRST_INTERVAL_MS;; $intervalMs *= 1.5) {
            $seen = $this->tryLookUp($id, $untilMs);
            if ($seen?->found && $seen->payment->isFinal) {
                return $seen->payment;
            }
            if ($seen !== null) {
                $still = $seen->found ? $seen->payment->status : 'NOT_FOUND';
            }
            $leftMs = $untilMs - $this->parts->pace->nowMs();
            if ($leftMs <= 0) {
                return new Still($still);
            }
            $this->parts->pace->pause((int) min($intervalMs, self::LONGEST_INTERVAL_MS, $leftMs));
        }
    }

    /** Null while the gateway cannot be reached: it may be available again before the time is over. */
    private function tryLookUp(string $id, int $untilMs): ?Found
    {
        try {
            return $this->lookUp($id, $untilMs);
        } catch (MalipoException $error) {
            return $error->isPassing() ? null : throw $error;
        }
    }

    private function lookUp(string $id, ?int $untilMs): Found
    {
        $answer = $this->parts->ask(new Call('GET', $this->kind->pathOf(Identifier::require($id)), untilMs: $untilMs));
        $record = Answers::readLookup($answer) ?? throw Problems::refused($answer);
        return new Found($record === false ? null : $this->kind->record($record));
    }
}
