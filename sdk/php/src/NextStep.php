<?php

// Generated from openapi/v2.json by tools/generate.php.

declare(strict_types=1);

namespace Malipo;

/** What has to happen next for an accepted deposit or split payment. */
final class NextStep
{
    public const FINAL_STATUS = 'FINAL_STATUS';
    public const GET_AUTH_URL = 'GET_AUTH_URL';
    public const REDIRECT_TO_AUTH_URL = 'REDIRECT_TO_AUTH_URL';
}
