<?php

declare(strict_types=1);

namespace Malipo;

use Malipo\Records\Record;

/**
 * Whether the gateway has a payment. That says nothing about money: the outcome is the status of the payment inside.
 *
 * @template T of Record
 * @property-read T $payment Only if it was found; otherwise reading it throws.
 */
final class Found extends Guarded
{
    public readonly bool $found;

    /** @param ?T $payment */
    public function __construct(?Record $payment)
    {
        parent::__construct($payment === null ? [] : ['payment' => $payment]);
        $this->found = $payment !== null;
    }

    protected function adviceFor(string $name): string
    {
        return $name === 'payment' ? 'Check `found` first.' : "Read \$found->payment->$name, if it was found.";
    }
}
