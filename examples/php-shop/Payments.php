<?php

declare(strict_types=1);

namespace Shop;

use Malipo\Malipo;
use Malipo\Outcome;
use Malipo\Records\Deposit;
use Malipo\Records\Record;
use Malipo\Records\Refund;

/** What is sent to the gateway, and what its records mean for an order. */
final class Payments
{
    public function __construct(private readonly Malipo $malipo, private readonly Orders $orders)
    {
    }

    /** Asks the customer for the money. It may be called again: the identifier is that of the order. */
    public function collect(array $order): void
    {
        $started = $this->malipo->deposits->create([
            'depositId' => $order['deposit_id'],
            'amount' => $order['amount'],
            'currency' => $order['currency'],
            'payer' => [
                'type' => 'MMO',
                'accountDetails' => ['provider' => $order['provider'], 'phoneNumber' => $order['phone_number']],
            ],
            'clientReferenceId' => $order['id'],
        ]);
        match ($started->outcome) {
            Outcome::Rejected => $this->orders->markFailed($order['id'], $started->failureReason->failureCode),
            // The callback or check-orders.php brings the end.
            Outcome::Accepted, Outcome::Duplicate, Outcome::Unknown => null,
        };
    }

    /** Gives the money back. It may be called again, too. */
    public function refund(array $order): void
    {
        $started = $this->malipo->refunds->create([
            'refundId' => $order['refund_id'],
            'depositId' => $order['deposit_id'],
        ]);
        match ($started->outcome) {
            Outcome::Rejected => $this->orders->endRefund($order['id'], false),
            Outcome::Accepted, Outcome::Duplicate, Outcome::Unknown => null,
        };
    }

    /** Takes over what a record says, from a callback or an answer. */
    public function settle(Record $record): void
    {
        if ($record instanceof Deposit) {
            $this->settleDeposit($record);
        }
        if ($record instanceof Refund && $record->isFinal) {
            $order = $this->orders->findByRefund($record->id);
            $order === null ?: $this->orders->endRefund($order['id'], $record->paid);
        }
    }

    private function settleDeposit(Deposit $deposit): void
    {
        $order = $this->orders->findByDeposit($deposit->id);
        // A deposit of another program with the same account, or not the payment that was asked for.
        if ($order === null || [$deposit->amount, $deposit->currency] !== [$order['amount'], $order['currency']]) {
            return;
        }
        if ($deposit->paid) {
            $this->orders->markPaid($order['id']);
        } elseif ($deposit->isFinal) {
            $this->orders->markFailed($order['id'], $deposit->failureReason?->failureCode ?? 'UNKNOWN_ERROR');
        }
    }

    /** For an order whose callback has not come: what the gateway knows, or the request again. */
    public function check(array $order): void
    {
        $isRefund = $order['status'] === 'REFUNDING';
        $found = $isRefund
            ? $this->malipo->refunds->get($order['refund_id'])
            : $this->malipo->deposits->get($order['deposit_id']);
        if ($found->found) {
            $this->settle($found->payment);
        } else {
            $isRefund ? $this->refund($order) : $this->collect($order);
        }
    }
}
