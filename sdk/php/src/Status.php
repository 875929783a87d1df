<?php

// Generated from openapi/v2.json by tools/generate.php.

declare(strict_types=1);

namespace Malipo;

/** The statuses of payments, checkouts and statements. Only COMPLETED means that money moved. */
final class Status
{
    public const ACCEPTED = 'ACCEPTED';
    public const CANCELLED = 'CANCELLED';
    public const COMPLETED = 'COMPLETED';
    public const ENQUEUED = 'ENQUEUED';
    public const EXPIRED = 'EXPIRED';
    public const FAILED = 'FAILED';
    public const IN_RECONCILIATION = 'IN_RECONCILIATION';
    public const PAYOUT_FAILED = 'PAYOUT_FAILED';
    public const PROCESSING = 'PROCESSING';
    public const WAITING_PAYMENT = 'WAITING_PAYMENT';
}
