<?php

// Generated from openapi/v2.json by tools/generate.php.

declare(strict_types=1);

namespace Malipo\Records;

/**
 * @property-read string $payoutId
 * @property-read string $status
 * @property-read string $amount
 * @property-read string $currency
 * @property-read string $country
 * @property-read array $recipient
 * @property-read string $customerMessage
 * @property-read ?string $clientReferenceId
 * @property-read string $created
 * @property-read ?string $providerTransactionId
 * @property-read ?array $metadata
 */
final class Payout extends Payment
{
    protected const FIELDS = [
        'payoutId',
        'status',
        'amount',
        'currency',
        'country',
        'recipient',
        'customerMessage',
        'clientReferenceId',
        'created',
        'providerTransactionId',
        'failureReason',
        'metadata',
    ];
}
