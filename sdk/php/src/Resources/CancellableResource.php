<?php

declare(strict_types=1);

namespace Malipo\Resources;

use Malipo\Acted;
use Malipo\Records\Record;

/**
 * Payments that may wait for their provider: refunds.
 *
 * @template T of Record
 * @extends AnnouncedResource<T>
 */
class CancellableResource extends AnnouncedResource
{
    /** Cancels one that is ENQUEUED. Otherwise it is rejected, because it may already be sent. */
    public function cancel(string $id): Acted
    {
        return $this->act($id, $this->actionPath('fail-enqueued', $id));
    }
}
