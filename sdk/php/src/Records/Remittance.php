<?php

// Generated from openapi/v2.json by tools/generate.php.

declare(strict_types=1);

namespace Malipo\Records;

/**
 * @property-read string $remittanceId
 * @property-read string $status
 * @property-read string $amount
 * @property-read string $currency
 * @property-read string $country
 * @property-read array $recipient
 * @property-read ?array $sender
 * @property-read string $customerMessage
 * @property-read string $created
 * @property-read ?string $providerTransactionId
 * @property-read ?array $metadata
 */
final class Remittance extends Payment
{
    protected const FIELDS = [
        'remittanceId',
        'status',
        'amount',
        'currency',
        'country',
        'recipient',
        'sender',
        'customerMessage',
        'created',
        'providerTransactionId',
        'failureReason',
        'metadata',
    ];
}
