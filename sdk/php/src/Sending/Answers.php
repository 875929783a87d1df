<?php

declare(strict_types=1);

namespace Malipo\Sending;

use Malipo\Acted;
use Malipo\FailureReason;
use Malipo\Kind;
use Malipo\MalipoException;
use Malipo\Started;

/** Parses answers of the gateway. An unrecognised answer is ignored, and the request stays unclear. */
final class Answers
{
    /**
     * The result of each request, in the same order; null if the answer is not understood.
     *
     * @param list<string> $ids
     * @return ?list<Started>
     */
    public static function readStarted(Kind $kind, array $ids, Answered $answer): ?array
    {
        $reason = FailureReason::read($answer->body);
        if ($reason !== null && $answer->status >= 400) {
            return array_map(static fn (string $id) => Started::rejected($id, $reason), $ids);
        }
        $said = array_is_list($answer->body) ? $answer->body : [$answer->body];
        if ($answer->status >= 300 || count($said) !== count($ids)) {
            return null;
        }
        $read = array_map(static fn (string $id, mixed $one) => self::readOne($kind, $id, $one), $ids, $said);
        return in_array(null, $read, true) ? null : $read;
    }

    private static function readOne(Kind $kind, string $id, mixed $said): ?Started
    {
        $named = is_array($said) ? $said[$kind->idName()] ?? null : null;
        if (!is_string($named) || strcasecmp($named, $id) !== 0) {
            return null;
        }
        $reason = FailureReason::read($said);
        if (($said['status'] ?? null) === 'REJECTED' && $reason !== null) {
            return Started::rejected($id, $reason);
        }
        if (!is_string($said['created'] ?? null)) {
            return null;
        }
        return match ($said['status'] ?? null) {
            'ACCEPTED' => Started::accepted($id, self::extrasOf($kind, $said)),
            'DUPLICATE_IGNORED' => Started::duplicate($id, self::extrasOf($kind, $said)),
            default => null,
        };
    }

    /**
     * A page of a list; null if it is not one.
     *
     * @return ?array{data: list<array<string, mixed>>, next: ?string}
     */
    public static function readPage(Answered $answer): ?array
    {
        $data = $answer->body['data'] ?? null;
        if ($answer->status !== 200 || !is_array($data) || !array_is_list($data)) {
            return null;
        }
        $next = $answer->body['next'] ?? null;
        return ['data' => array_filter($data, is_array(...)), 'next' => is_string($next) ? $next : null];
    }

    /**
     * The answer to a status check: the gateway's record, false if it has none, null if it is not such an answer.
     *
     * @return array<string, mixed>|false|null
     */
    public static function readLookup(Answered $answer): array|false|null
    {
        if ($answer->status !== 200) {
            return null;
        }
        $data = $answer->body['data'] ?? null;
        return match ($answer->body['status'] ?? null) {
            'NOT_FOUND' => false,
            'FOUND' => is_array($data) ? $data : null,
            default => null,
        };
    }

    /**
     * A record proves that the gateway has the request.
     *
     * @param array<string, mixed> $record
     */
    public static function startedByRecord(Kind $kind, string $id, array $record): Started
    {
        return Started::accepted($id, self::extrasOf($kind, $record));
    }

    public static function readActionResult(string $id, Answered $answer): ?Acted
    {
        $reason = FailureReason::read($answer->body);
        if ($reason !== null && in_array($answer->status, [200, 404], true)) {
            return new Acted($id, $reason);
        }
        $said = $answer->body['status'] ?? null;
        return in_array($said, ['ACCEPTED', 'EXPIRED'], true) ? new Acted($id, null) : null;
    }

    /**
     * The gateway refuses the client: token, scope, IP address. It says nothing about the request, which an earlier
     * attempt may have brought in.
     */
    public static function readRefusal(Answered $answer): ?MalipoException
    {
        $reason = FailureReason::read($answer->body);
        if ($reason === null || $answer->status <= 400) {
            return null;
        }
        if ($answer->status === 403 && $reason->failureCode !== 'AUTHORISATION_ERROR') {
            return null;
        }
        return Problems::failure($reason, $answer->status);
    }

    /**
     * @param array<string, mixed> $from
     * @return array<string, mixed>
     */
    private static function extrasOf(Kind $kind, array $from): array
    {
        $names = ['created', ...$kind->extras()];
        return array_intersect_key($from, array_flip($names)) + array_fill_keys($names, null);
    }
}
