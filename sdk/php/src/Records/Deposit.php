<?php

// Generated from openapi/v2.json by tools/generate.php.

declare(strict_types=1);

namespace Malipo\Records;

/**
 * @property-read string $depositId
 * @property-read string $status
 * @property-read string $amount
 * @property-read string $currency
 * @property-read string $country
 * @property-read array $payer
 * @property-read string $customerMessage
 * @property-read ?string $clientReferenceId
 * @property-read string $created
 * @property-read ?string $providerTransactionId
 * @property-read ?array $metadata
 * @property-read ?string $nextStep
 * @property-read ?string $authorizationUrl
 * @property-read ?string $successfulUrl
 * @property-read ?string $failedUrl
 */
final class Deposit extends Payment
{
    protected const FIELDS = [
        'depositId',
        'status',
        'amount',
        'currency',
        'country',
        'payer',
        'customerMessage',
        'clientReferenceId',
        'created',
        'providerTransactionId',
        'failureReason',
        'metadata',
        'nextStep',
        'authorizationUrl',
        'successfulUrl',
        'failedUrl',
    ];
}
