<?php

// Loads the SDK without Composer, and the libraries of Debian that some tests compare with.

declare(strict_types=1);

error_reporting(E_ALL);

require __DIR__ . '/../src/autoload.php';

foreach (['Nyholm/Psr7', 'Symfony/Component/HttpFoundation', 'Psr/Log', 'GuzzleHttp'] as $library) {
    require "/usr/share/php/$library/autoload.php";
}
