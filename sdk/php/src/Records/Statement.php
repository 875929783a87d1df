<?php

// Generated from openapi/v2.json by tools/generate.php.

declare(strict_types=1);

namespace Malipo\Records;

/**
 * @property-read string $statementId
 * @property-read string $status
 * @property-read array $wallet
 * @property-read string $created
 * @property-read string $startDate
 * @property-read string $endDate
 * @property-read ?int $fileSize
 * @property-read ?string $downloadUrl
 * @property-read ?string $downloadUrlExpiresAt
 * @property-read ?string $completedAt
 * @property-read ?string $failedAt
 */
final class Statement extends Record
{
    protected const FIELDS = [
        'statementId',
        'status',
        'wallet',
        'created',
        'startDate',
        'endDate',
        'fileSize',
        'downloadUrl',
        'downloadUrlExpiresAt',
        'completedAt',
        'failedAt',
        'failureReason',
    ];
}
