<?php

declare(strict_types=1);

namespace Malipo;

/** The wait is over, and the payment is not final. */
final class Still extends Guarded
{
    public readonly bool $isFinal;
    public readonly bool $paid;

    /**
     * @param string $still NOT_FOUND: the gateway has no such payment. UNREACHABLE: it never answered. Otherwise the
     *   last known status.
     */
    public function __construct(public readonly string $still)
    {
        parent::__construct([]);
        $this->isFinal = false;
        $this->paid = false;
    }

    protected function adviceFor(string $name): string
    {
        return 'The payment is not final yet: check `isFinal` first. `still` is its last known status.';
    }
}
