<?php

declare(strict_types=1);

namespace Malipo\Resources;

use Malipo\Acted;
use Malipo\Records\Checkout;

/**
 * Checkouts: hosted sessions in which a customer may try several times and pay once.
 *
 * @extends Resource<Checkout>
 */
final class Checkouts extends Resource
{
    /** Ends a checkout that no one is paying right now. */
    public function expire(string $id): Acted
    {
        return $this->act($id, $this->kind->pathOf(Identifier::require($id)) . '/expire');
    }
}
