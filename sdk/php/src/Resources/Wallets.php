<?php

declare(strict_types=1);

namespace Malipo\Resources;

final class Wallets extends Readings
{
    /**
     * What is available in each wallet.
     *
     * @return list<array<string, mixed>>
     */
    public function balances(?string $country = null): array
    {
        return $this->read('/v2/wallet-balances', ['country' => $country])['balances'];
    }
}
