<?php

declare(strict_types=1);

namespace Malipo\Resources;

use Malipo\Acted;
use Malipo\Records\Record;

/**
 * Payments with a callback that can be resent: deposits.
 *
 * @template T of Record
 * @extends Resource<T>
 */
class AnnouncedResource extends Resource
{
    /** Resends the callback of a final payment. */
    public function resendCallback(string $id): Acted
    {
        return $this->act($id, $this->actionPath('resend-callback', $id));
    }
}
