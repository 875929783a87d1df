<?php

// Generated from openapi/v2.json by tools/generate.php.

declare(strict_types=1);

namespace Malipo\Records;

/**
 * @property-read string $splitPaymentId
 * @property-read string $status
 * @property-read string $amount
 * @property-read string $currency
 * @property-read string $country
 * @property-read array $payer
 * @property-read array $splits
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
final class SplitPayment extends Payment
{
    protected const FIELDS = [
        'splitPaymentId',
        'status',
        'amount',
        'currency',
        'country',
        'payer',
        'splits',
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
