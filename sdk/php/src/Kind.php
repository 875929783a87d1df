<?php

declare(strict_types=1);

namespace Malipo;

use Malipo\Records\Checkout;
use Malipo\Records\Deposit;
use Malipo\Records\Payout;
use Malipo\Records\Record;
use Malipo\Records\Refund;
use Malipo\Records\Remittance;
use Malipo\Records\SplitPayment;
use Malipo\Records\Statement;

/** The kinds of requests. The value is the name in the journal and in callbacks. */
enum Kind: string
{
    case Deposit = 'deposit';
    case Payout = 'payout';
    case Refund = 'refund';
    case Remittance = 'remittance';
    case SplitPayment = 'splitPayment';
    case Checkout = 'checkout';
    case Statement = 'statement';

    public function path(): string
    {
        return $this === self::SplitPayment ? '/v2/split-payments' : "/v2/{$this->value}s";
    }

    /** The path of one, or of something below it. The identifier comes from outside, so it is escaped. */
    public function pathOf(string $id): string
    {
        return $this->path() . '/' . rawurlencode($id);
    }

    public function idName(): string
    {
        return "{$this->value}Id";
    }

    /** @return list<string> Statuses that do not change any more. */
    public function finalStatuses(): array
    {
        return match ($this) {
            self::SplitPayment => ['COMPLETED', 'FAILED', 'PAYOUT_FAILED'],
            self::Checkout => ['COMPLETED', 'FAILED', 'EXPIRED', 'CANCELLED'],
            default => ['COMPLETED', 'FAILED'],
        };
    }

    /** @return list<string> Further fields of the answer to an accepted request. */
    public function extras(): array
    {
        return match ($this) {
            self::Deposit, self::SplitPayment => ['nextStep'],
            self::Checkout => ['redirectUrl', 'expiresAt', 'checkoutCode'],
            default => [],
        };
    }

    /** @param array<string, mixed> $fields */
    public function record(array $fields): Record
    {
        return match ($this) {
            self::Deposit => new Deposit($this, $fields),
            self::Payout => new Payout($this, $fields),
            self::Refund => new Refund($this, $fields),
            self::Remittance => new Remittance($this, $fields),
            self::SplitPayment => new SplitPayment($this, $fields),
            self::Checkout => new Checkout($this, $fields),
            self::Statement => new Statement($this, $fields),
        };
    }
}
