<?php

declare(strict_types=1);

namespace Malipo\Resources;

use Malipo\Acted;
use Malipo\MalipoException;
use Malipo\Records\Record;
use Malipo\Sending\Answered;
use Malipo\Sending\Answers;
use Malipo\Sending\Call;
use Malipo\Sending\Problems;
use Malipo\Sending\Start;
use Malipo\Started;

/**
 * What can be created.
 *
 * @template T of Record
 * @extends Inquiries<T>
 */
class Resource extends Inquiries
{
    /**
     * Creates one. Without an identifier it gets one, which is stored in the journal before anything is sent. Check
     * `outcome`: an accepted payment is not yet a paid one.
     *
     * @param array<string, mixed> $request As in the API. Fields that are null are left out.
     */
    public function create(array $request): Started
    {
        return Start::requests($this->parts, $this->kind, [$this->complete($request)], isList: false)[0];
    }

    /**
     * The request as it is sent: with identifiers.
     *
     * @param array<string, mixed> $request
     * @return array<string, mixed>
     */
    protected function complete(array $request): array
    {
        $idName = $this->kind->idName();
        $request = self::withIdentifier($idName, $request);
        self::requireTextAmount($request);
        return $request;
    }

    /**
     * @param array<string, mixed> $request
     * @return array<string, mixed>
     */
    protected static function withIdentifier(string $idName, array $request): array
    {
        $given = array_filter($request, static fn (mixed $value) => $value !== null);
        $id = array_key_exists($idName, $given) ? Identifier::require($given[$idName]) : Identifier::create();
        return [$idName => $id] + $given;
    }

    /** A float has lost what it cannot hold, and 100.0 is not the text that status checks repeat. */
    private static function requireTextAmount(array $request): void
    {
        foreach ([$request, ...($request['splits'] ?? [])] as $part) {
            if (isset($part['amount']) && !is_string($part['amount'])) {
                throw MalipoException::misuse('An amount must be a text.', "Write '100' or '12.50', with quotes.");
            }
        }
    }

    /** Not repeated if the result is unclear: the second answer would report the action as impossible. */
    protected function act(string $id, string $path): Acted
    {
        $answer = $this->parts->connection->send(new Call('POST', $path));
        if (!$answer instanceof Answered) {
            throw $answer->cause;
        }
        return Answers::readActionResult($id, $answer) ?? throw Problems::refused($answer);
    }

    /** The path of an action that stands before the identifier. */
    protected function actionPath(string $action, string $id): string
    {
        return "{$this->kind->path()}/$action/" . rawurlencode(Identifier::require($id));
    }
}
