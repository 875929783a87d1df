<?php

declare(strict_types=1);

namespace Malipo\Resources;

final class PublicKeys extends Readings
{
    /**
     * The keys that verify callbacks. `CallbackVerifier` reads and keeps them by itself.
     *
     * @return list<array{id: string, key: string}>
     */
    public function list(): array
    {
        return $this->read('/v2/public-key/http');
    }
}
