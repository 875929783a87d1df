<?php

declare(strict_types=1);

namespace Malipo\Test;

use PHPUnit\Framework\TestCase;

/** The code of the README. Its first two programs are run against a gateway by the tests of the Node SDK. */
final class ReadmeTest extends TestCase
{
    public static function blocks(): iterable
    {
        $text = (string) file_get_contents(__DIR__ . '/../README.md');
        preg_match_all('/^ *```php *(\S*)\n(.*?)^ *```$/ms', $text, $blocks, PREG_SET_ORDER);
        foreach ($blocks as $number => [, $name, $code]) {
            $program = str_starts_with($code, '<?php') ? $code : "<?php\n$code";
            yield "block $number $name" => [$program, $name === 'test'];
        }
    }

    /** @dataProvider blocks */
    public function testABlockIsValidPhpAndTheTestRuns(string $code, bool $isTest): void
    {
        $command = [PHP_BINARY, '-l'];
        if ($isTest) {
            $autoload = __DIR__ . '/../src/autoload.php';
            $command = [PHP_BINARY, '-d', 'zend.assertions=1', '-d', "auto_prepend_file=$autoload"];
        }
        $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes);
        fwrite($pipes[0], $code);
        fclose($pipes[0]);
        $printed = stream_get_contents($pipes[1]) . stream_get_contents($pipes[2]);
        self::assertSame(0, proc_close($process), $printed);
        self::assertSame($isTest ? '' : "No syntax errors detected in Standard input code\n", $printed);
    }
}
