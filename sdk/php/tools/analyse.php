<?php

// Finds mistakes that PHP reports only when it gets to them: names of classes, functions, methods, properties and
// constants that do not exist, arguments that do not fit, variables without a value, imports without a use, and types
// that PHP 8.1 does not have. `php tools/analyse.php` prints what it finds in the SDK and its examples.

declare(strict_types=1);

namespace Malipo\Tools;

require_once '/usr/share/php/PhpParser/autoload.php';
require_once '/usr/share/php/PHPUnit/Autoload.php';
require_once __DIR__ . '/../test/bootstrap.php';
require_once __DIR__ . '/Analysis.php';
require_once __DIR__ . '/Arguments.php';
require_once __DIR__ . '/Members.php';
require_once __DIR__ . '/Variables.php';

const ROOT = __DIR__ . '/../../..';

/** @return list<string> Files that only declare. */
function filesToLoad(): array
{
    $patterns = ['sdk/php/src/*.php', 'sdk/php/src/*/*.php', 'sdk/php/test/*Test.php', 'sdk/php/tools/*.php'];
    $found = array_merge(...array_map(static fn (string $pattern) => glob(ROOT . "/$pattern") ?: [], $patterns));
    $others = ['sdk/php/test/woocommerce.php', 'examples/woocommerce/malipo.php'];
    $shop = ['examples/php-shop/Orders.php', 'examples/php-shop/Payments.php'];
    return [...$found, ...array_map(static fn (string $path) => ROOT . "/$path", [...$others, ...$shop])];
}

/** @return list<string> */
function analyseAll(): array
{
    $programs = ['sdk/php/test/driver.php', 'examples/php-shop/public/index.php'];
    foreach (filesToLoad() as $file) {
        require_once $file;
    }
    $faults = [];
    foreach ([...filesToLoad(), ...array_map(static fn (string $path) => ROOT . "/$path", $programs)] as $file) {
        foreach (Analysis::of((string) file_get_contents($file)) as $fault) {
            $faults[] = str_replace(ROOT . '/', '', $file) . ":$fault";
        }
    }
    return $faults;
}

if (realpath((string) $_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    $faults = analyseAll();
    echo implode('', array_map(static fn (string $fault) => "$fault\n", $faults));
    exit($faults === [] ? 0 : 1);
}
