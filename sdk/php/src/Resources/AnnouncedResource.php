<?php

declare(strict_types=1);

namespace Malipo\Resources;

use Malipo\Acted;
use Malipo\Records\Record;
use Malipo\Sending\Answers;
use Malipo\Sending\Call;
use Malipo\Sending\Problems;

/**
 * Payments with a callback that can be resent, and that can be listed: deposits.
 *
 * @template T of Record
 * @extends Resource<T>
 */
class AnnouncedResource extends Resource
{
    /**
     * Lists payments, the newest first. Pages are read as the loop needs them, so leaving it early costs nothing.
     * Without the scope personal-data:read, personal data is masked.
     *
     * At most one of client reference, metadata and phone number, each as a whole value.
     *
     * @param string|\DateTimeInterface|null $from Accepted at this time or later.
     * @param string|\DateTimeInterface|null $to Accepted before this time. A date alone means the whole day.
     * @param ?string $metadata A value of the metadata, whatever its name.
     * @param ?string $phoneNumber It needs the scope personal-data:read.
     * @param ?string $status See `Status`.
     * @param int $pageSize How many are read at a time, 1 to 100.
     * @return \Generator<int, T>
     */
    public function list(
        string|\DateTimeInterface|null $from = null,
        string|\DateTimeInterface|null $to = null,
        ?string $clientReferenceId = null,
        ?string $metadata = null,
        ?string $phoneNumber = null,
        ?string $status = null,
        ?string $provider = null,
        int $pageSize = 50,
    ): \Generator {
        $query = [
            'from' => self::timeText($from),
            'to' => self::timeText($to),
            'clientReferenceId' => $clientReferenceId,
            'metadata' => $metadata,
            'phoneNumber' => $phoneNumber,
            'status' => $status,
            'provider' => $provider,
            'limit' => (string) $pageSize,
        ];
        do {
            $text = http_build_query($query, '', '&', PHP_QUERY_RFC3986);
            $answer = $this->parts->ask(new Call('GET', "{$this->kind->path()}?$text"));
            $page = Answers::readPage($answer) ?? throw Problems::refused($answer);
            foreach ($page['data'] as $fields) {
                yield $this->kind->record($fields);
            }
            $query['cursor'] = $page['next'];
        } while ($query['cursor'] !== null);
    }

    private static function timeText(string|\DateTimeInterface|null $time): ?string
    {
        return $time instanceof \DateTimeInterface ? $time->format('Y-m-d\TH:i:s.vP') : $time;
    }

    /** Resends the callback of a final payment. */
    public function resendCallback(string $id): Acted
    {
        return $this->act($id, $this->actionPath('resend-callback', $id));
    }
}
