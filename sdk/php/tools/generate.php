<?php

// Writes the classes that follow from openapi/v2.json: names of failure codes and statuses, and the fields of records.
// `php tools/generate.php` writes them; a test fails when they are not current.

declare(strict_types=1);

namespace Malipo\Tools;

const DOCUMENT = __DIR__ . '/../../../openapi/v2.json';

const RECORDS = [
    'Deposit' => 'getDeposit',
    'Payout' => 'getPayout',
    'Refund' => 'getRefund',
    'Remittance' => 'getRemittance',
    'SplitPayment' => 'getSplitPayment',
    'Checkout' => 'getCheckout',
    'Statement' => 'getStatement',
];

/** @return array<string, string> The text of each generated file, by its path below src/. */
function generate(): array
{
    $document = json_decode((string) file_get_contents(DOCUMENT), true, flags: JSON_THROW_ON_ERROR);
    $operations = [];
    foreach ($document['paths'] as $methods) {
        foreach ($methods as $operation) {
            $operations[$operation['operationId']] = $operation;
        }
    }
    $records = array_map(static fn (string $name) => recordOf($operations[$name]), RECORDS);
    $statuses = array_merge(...array_values(array_map(
        static fn (array $record) => $record['properties']['status']['enum'],
        $records,
    )));
    $files = [
        'FailureCode.php' => constantsClass(
            'FailureCode',
            'The failure codes that the gateway is known to send. Be ready for codes that are added later.',
            listFailureCodes($document),
        ),
        'Status.php' => constantsClass(
            'Status',
            'The statuses of payments, checkouts and statements. Only COMPLETED means that money moved.',
            $statuses,
        ),
        'NextStep.php' => constantsClass(
            'NextStep',
            'What has to happen next for an accepted deposit or split payment.',
            $records['Deposit']['properties']['nextStep']['enum'],
        ),
    ];
    foreach ($records as $name => $record) {
        // In a list, what is personal may be left out.
        $listed = listedOf($operations["list{$name}s"] ?? null) ?? $record['required'];
        $required = array_intersect($record['required'], $listed);
        $files["Records/$name.php"] = recordClass($name, $record['properties'], $required);
    }
    return $files;
}

/** @param array<string, mixed> $operation @return array<string, mixed> */
function recordOf(array $operation): array
{
    return $operation['responses']['200']['content']['application/json']['schema']['properties']['data'];
}

/** @param ?array<string, mixed> $operation @return ?list<string> The fields that every record of a list has. */
function listedOf(?array $operation): ?array
{
    return $operation === null ? null : recordOf($operation)['items']['required'];
}

/** @return list<string> The document names them in the descriptions of the fields that hold them. */
function listFailureCodes(mixed $part): array
{
    $codes = [];
    foreach (is_array($part) ? $part : [] as $name => $value) {
        if ($name === 'description' && is_string($value) && preg_match('/Known codes: ([A-Z0-9_, ]+)\./', $value, $m)) {
            array_push($codes, ...explode(', ', $m[1]));
        }
        array_push($codes, ...listFailureCodes($value));
    }
    return $codes;
}

/** @param list<string> $values */
function constantsClass(string $name, string $about, array $values): string
{
    $values = array_unique($values);
    sort($values);
    $lines = array_map(static fn (string $value) => "    public const $value = '$value';\n", $values);
    return head('Malipo') . "/** $about */\nfinal class $name\n{\n" . implode('', $lines) . "}\n";
}

/**
 * @param array<string, array<string, mixed>> $properties
 * @param list<string> $required
 */
function recordClass(string $name, array $properties, array $required): string
{
    $parent = $name === 'Statement' ? 'Record' : 'Payment';
    $text = head('Malipo\\Records') . "/**\n";
    foreach ($properties as $field => $schema) {
        if ($field === 'failureReason') {
            continue;
        }
        $type = typeOf($schema);
        $isSet = in_array($field, $required, true);
        $text .= ' * @property-read ' . ($isSet || $type === 'mixed' ? '' : '?') . "$type \$$field\n";
    }
    $text .= " */\nfinal class $name extends $parent\n{\n    protected const FIELDS = [\n";
    foreach (array_keys($properties) as $field) {
        $text .= "        '$field',\n";
    }
    return "$text    ];\n}\n";
}

/** @param array<string, mixed> $schema */
function typeOf(array $schema): string
{
    return match ($schema['type'] ?? null) {
        'string' => 'string',
        'integer' => 'int',
        'boolean' => 'bool',
        'array', 'object' => 'array',
        default => 'mixed',
    };
}

function head(string $namespace): string
{
    return "<?php\n\n// Generated from openapi/v2.json by tools/generate.php.\n\n"
        . "declare(strict_types=1);\n\nnamespace $namespace;\n\n";
}

if (realpath((string) $_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    foreach (generate() as $path => $text) {
        file_put_contents(__DIR__ . "/../src/$path", $text);
        echo "wrote src/$path\n";
    }
}
