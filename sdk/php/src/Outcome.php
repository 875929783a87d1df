<?php

declare(strict_types=1);

namespace Malipo;

/** The outcome of a request. None of them means that money moved: that is the status of the payment. */
enum Outcome: string
{
    /** The gateway has it, and will end it once. */
    case Accepted = 'accepted';
    /** A request with this identifier was accepted before, and nothing was done now. */
    case Duplicate = 'duplicate';
    /** Nothing was done, and nothing will be. */
    case Rejected = 'rejected';
    /** The gateway could not be reached in time. Ask later, or send it again with the same identifier. */
    case Unknown = 'unknown';
}
