<?php

declare(strict_types=1);

namespace Malipo\Resources;

use Malipo\FailureReason;
use Malipo\Records\Statement;
use Malipo\Sending\Answers;
use Malipo\Sending\Call;
use Malipo\Sending\Problems;
use Malipo\Started;

/**
 * Statements of a wallet. The gateway creates their identifiers, so a request without an answer is repeated: at worst
 * there are two equal statements, and no money moves.
 *
 * @extends Inquiries<Statement>
 */
final class Statements extends Inquiries
{
    /**
     * Asks for a statement, which is made within minutes. Throws when the gateway cannot be reached.
     *
     * @param array<string, mixed> $request
     */
    public function create(array $request): Started
    {
        $answer = $this->parts->ask(new Call('POST', $this->kind->path(), $request));
        ['status' => $status, 'statementId' => $id, 'created' => $created] =
            $answer->body + ['status' => null, 'statementId' => null, 'created' => null];
        if ($status === 'ACCEPTED' && is_string($id) && is_string($created)) {
            return Started::accepted($id, ['created' => $created]);
        }
        $refusal = Answers::readRefusal($answer);
        $reason = FailureReason::read($answer->body);
        if ($refusal !== null || $reason === null) {
            throw $refusal ?? Problems::unreadable($answer->status);
        }
        return Started::rejected(null, $reason);
    }
}
