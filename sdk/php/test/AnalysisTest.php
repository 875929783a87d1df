<?php

declare(strict_types=1);

namespace Malipo\Test;

use Malipo\Tools\Analysis;
use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/../tools/analyse.php';

/** The static analysis finds the mistakes that it is for. `php tools/analyse.php` looks at the whole SDK. */
final class AnalysisTest extends TestCase
{
    public static function mistakes(): iterable
    {
        $of = static fn (string $code) => '<?php namespace Malipo; function f(Started $started) {' . "$code }";
        yield 'a class' => [$of('new Malipoo();'), 'there is no class Malipo\\Malipoo'];
        yield 'a class in a declaration' => [$of('fn (Depositt $one) => $one;'), 'no class Malipo\\Depositt'];
        yield 'a function' => [$of('strlem("a");'), 'there is no function strlem'];
        yield 'a constant' => [$of('echo PHP_INT_MAXX;'), 'there is no constant PHP_INT_MAXX'];
        yield 'a case' => [$of('echo Outcome::Acepted->value;'), 'Malipo\\Outcome has no constant or case Acepted'];
        yield 'a method' => [$of('$started->asDone();'), 'Malipo\\Started has no method asDone()'];
        yield 'a method of what a method returns' => [$of('$started->asAccepted()->go();'), 'has no method go()'];
        yield 'a static method' => [$of('Malipo::newID2();'), 'Malipo\\Malipo has no method newID2()'];
        yield 'a property' => [$of('echo $started->status;'), 'Malipo\\Started has no property $status'];
        yield 'of a new object' => [$of('$a = new Acted("", null); $a->x;'), 'Malipo\\Acted has no property $x'];
        yield 'a private member' => [$of('new Started(Outcome::Accepted, []);'), 'cannot be created here'];
        yield 'too many arguments' => [$of('strlen("a", "b");'), 'strlen() takes 1 arguments, not 2'];
        yield 'a missing argument' => [$of('new Found();'), 'Malipo\\Found::__construct() needs the argument payment'];
        yield 'a named argument' => [$of('new Malipo("", "", tokens: "");'), 'has no argument tokens'];
        yield 'a variable' => [$of('$a = 1; echo $b;'), '$b has no value'];
        yield 'a variable of a closure' => [$of('$a = 1; return static function () { echo $a; };'), '$a has no value'];
        yield 'a type of PHP 8.2' => [$of('fn (): true => true;'), 'PHP 8.1 has no type true alone'];
        yield 'a class of PHP 8.2' => ['<?php readonly class Point {}', 'PHP 8.1 has no readonly classes'];
        yield 'an import' => ["<?php\nuse Malipo\\Kind;\n", 'the import Kind is not used'];
    }

    /** @dataProvider mistakes */
    public function testAMistakeIsFound(string $code, string $fault): void
    {
        $faults = Analysis::of($code);
        self::assertCount(1, $faults, implode("\n", $faults));
        self::assertStringContainsString($fault, $faults[0]);
    }
}
