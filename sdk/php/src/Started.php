<?php

declare(strict_types=1);

namespace Malipo;

/**
 * What came of a request. Check `outcome` first: the other fields exist only with the outcomes that they belong to,
 * and reading one that is not there throws. An accepted request is not a paid one.
 *
 * @property-read string $id The identifier of the payment. A rejected statement has none.
 * @property-read string $created accepted, duplicate: when the gateway accepted it. Payment pages have none.
 * @property-read ?string $nextStep accepted, duplicate: of deposits and split payments
 * @property-read ?string $redirectUrl accepted, duplicate: of checkouts and payment pages, where to send the customer
 * @property-read ?string $expiresAt accepted, duplicate: of checkouts
 * @property-read ?string $checkoutCode accepted, duplicate: of checkouts
 * @property-read FailureReason $failureReason rejected: why
 * @property-read MalipoException $cause unknown: what prevented it
 */
final class Started extends Guarded
{
    /** @param array<string, mixed> $facts */
    private function __construct(public readonly Outcome $outcome, private readonly array $facts)
    {
        parent::__construct($facts);
    }

    /** @param array<string, mixed> $extras */
    public static function accepted(string $id, array $extras): self
    {
        return new self(Outcome::Accepted, ['id' => $id] + $extras);
    }

    /** @param array<string, mixed> $extras */
    public static function duplicate(string $id, array $extras): self
    {
        return new self(Outcome::Duplicate, ['id' => $id] + $extras);
    }

    /** A duplicate of an earlier attempt of ours is what that attempt came to. */
    public function asAccepted(): self
    {
        return new self(Outcome::Accepted, $this->facts);
    }

    /** Without an identifier where the gateway makes it. */
    public static function rejected(?string $id, FailureReason $reason): self
    {
        return new self(Outcome::Rejected, ($id === null ? [] : ['id' => $id]) + ['failureReason' => $reason]);
    }

    public static function unknown(string $id, MalipoException $cause): self
    {
        return new self(Outcome::Unknown, ['id' => $id, 'cause' => $cause]);
    }

    protected function adviceFor(string $name): string
    {
        if ($name === 'status' || $name === 'paid') {
            return 'An accepted request is not a paid one: ask with get() or waitForFinal(), or wait for the callback.';
        }
        return "The outcome is '{$this->outcome->value}'; check it before you read '$name'.";
    }
}
