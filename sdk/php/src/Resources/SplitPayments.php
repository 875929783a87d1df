<?php

declare(strict_types=1);

namespace Malipo\Resources;

use Malipo\Records\SplitPayment;

/**
 * One payment that is shared out. The splits are payouts, and get identifiers of their own.
 *
 * @extends Resource<SplitPayment>
 */
final class SplitPayments extends Resource
{
    protected function complete(array $request): array
    {
        $splits = array_map(
            static fn (array $split) => self::withIdentifier('payoutId', $split),
            array_values($request['splits'] ?? []),
        );
        return parent::complete(['splits' => $splits] + $request);
    }
}
