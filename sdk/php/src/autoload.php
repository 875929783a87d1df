<?php

// For projects without Composer: require this file once. With Composer it is not needed.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'Malipo\\')) {
        return;
    }
    $file = __DIR__ . '/' . str_replace('\\', '/', substr($class, strlen('Malipo\\'))) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
