<?php

// Generated from openapi/v2.json by tools/generate.php.

declare(strict_types=1);

namespace Malipo\Records;

/**
 * @property-read string $checkoutId
 * @property-read string $status
 * @property-read string $redirectUrl
 * @property-read string $expiresAt
 * @property-read string $checkoutCode
 * @property-read string $created
 * @property-read string $returnUrl
 * @property-read string $returnMethod
 * @property-read ?string $defaultLanguage
 * @property-read ?array $countries
 * @property-read int $expiresAfter
 * @property-read ?array $amounts
 * @property-read ?array $payer
 * @property-read ?string $clientReferenceId
 * @property-read ?array $reason
 * @property-read ?string $providerTransactionId
 * @property-read ?string $depositStatus
 * @property-read ?array $deposit
 * @property-read array $depositsHistory
 * @property-read ?array $metadata
 */
final class Checkout extends Payment
{
    protected const FIELDS = [
        'checkoutId',
        'status',
        'redirectUrl',
        'expiresAt',
        'checkoutCode',
        'created',
        'returnUrl',
        'returnMethod',
        'defaultLanguage',
        'countries',
        'expiresAfter',
        'amounts',
        'payer',
        'clientReferenceId',
        'reason',
        'providerTransactionId',
        'depositStatus',
        'deposit',
        'depositsHistory',
        'metadata',
    ];
}
