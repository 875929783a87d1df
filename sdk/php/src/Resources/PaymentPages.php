<?php

declare(strict_types=1);

namespace Malipo\Resources;

use Malipo\FailureReason;
use Malipo\Kind;
use Malipo\Sending\Answers;
use Malipo\Sending\Answered;
use Malipo\Sending\Call;
use Malipo\Sending\Parts;
use Malipo\Sending\Problems;
use Malipo\Sending\Start;
use Malipo\Started;

/**
 * Addresses of the hosted payment page. The deposit starts when the customer presses Pay, so there is no status before.
 * A repeated request replaces the address of the same identifier; it leads to one deposit at most.
 */
final class PaymentPages
{
    public function __construct(private readonly Parts $parts)
    {
    }

    /**
     * Creates an address for the customer, valid for 15 minutes. `id` is that of the deposit: `deposits` has the
     * outcome.
     *
     * @param array<string, mixed> $request
     */
    public function create(array $request): Started
    {
        $given = array_filter($request, static fn (mixed $value) => $value !== null);
        $id = Identifier::require($given['depositId'] ?? Identifier::create());
        $body = ['depositId' => $id] + $given;
        $entries = [Start::journalEntry(Kind::Deposit, $body)];
        return $this->parts->sendStored($entries, fn () => [$this->open($id, $body)])[0];
    }

    /** @param array<string, mixed> $body */
    private function open(string $id, array $body): Started
    {
        $call = new Call('POST', '/v2/paymentpage', $body, isInitiation: true);
        $answer = $this->parts->connection->sendUntilClear($call, $this->parts->deadlineMs());
        return $answer instanceof Answered ? self::readOpened($id, $answer) : Started::unknown($id, $answer->cause);
    }

    private static function readOpened(string $id, Answered $answer): Started
    {
        $address = $answer->body['redirectUrl'] ?? null;
        if (is_string($address)) {
            return Started::accepted($id, ['redirectUrl' => $address]);
        }
        $refusal = Answers::readRefusal($answer);
        $reason = FailureReason::read($answer->body);
        if ($refusal !== null || $reason === null) {
            throw $refusal ?? Problems::unreadable($answer->status);
        }
        return Started::rejected($id, $reason);
    }
}
