<?php

declare(strict_types=1);

namespace Malipo;

/**
 * The result of an action on a payment: resend its callback, cancel it, expire it. `outcome` is Accepted or Rejected.
 *
 * @property-read FailureReason $failureReason Only if it was rejected; otherwise reading it throws.
 */
final class Acted extends Guarded
{
    public readonly Outcome $outcome;

    public function __construct(public readonly string $id, ?FailureReason $reason)
    {
        parent::__construct($reason === null ? [] : ['failureReason' => $reason]);
        $this->outcome = $reason === null ? Outcome::Accepted : Outcome::Rejected;
    }
}
