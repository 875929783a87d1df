<?php

declare(strict_types=1);

namespace Malipo\Callbacks;

/** The rules of a callback's signature, in the order in which they are checked. */
enum SignatureRule: string
{
    case Headers = 'HEADERS';
    case Parameters = 'PARAMETERS';
    case Components = 'COMPONENTS';
    case Algorithm = 'ALGORITHM';
    case Merchant = 'MERCHANT';
    case Time = 'TIME';
    case Key = 'KEY';
    case Digest = 'DIGEST';
    case Signature = 'SIGNATURE';
}
