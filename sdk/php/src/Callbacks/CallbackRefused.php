<?php

declare(strict_types=1);

namespace Malipo\Callbacks;

/**
 * The request is not a genuine callback. Do not act on it: answer 401, and the gateway tries again. It is an exception,
 * because in PHP every object is true, and `if ($verifier->verify())` must not accept a forged one.
 */
final class CallbackRefused extends \RuntimeException
{
    /** @param SignatureRule $rule The first rule that is broken. */
    public function __construct(public readonly SignatureRule $rule, string $cause)
    {
        parent::__construct("The callback is refused ($rule->value): $cause.");
    }
}
