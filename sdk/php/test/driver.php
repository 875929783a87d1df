<?php

// The driver of the conformance kit (sdk/conformance/README.md). Its parameter is the file of the journal that all
// processes share.

declare(strict_types=1);

require __DIR__ . '/../src/autoload.php';

use Malipo\Acted;
use Malipo\Found;
use Malipo\Journal\FileJournal;
use Malipo\Malipo;
use Malipo\MalipoException;
use Malipo\Outcome;
use Malipo\Signing\RequestSigner;
use Malipo\Started;

while (($line = fgets(STDIN)) !== false) {
    $call = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
    echo json_encode(['number' => $call['number'], 'results' => run($call, $argv[1])], JSON_THROW_ON_ERROR), "\n";
}

/**
 * @param array<string, mixed> $call
 * @return list<array<string, mixed>>
 */
function run(array $call, string $journal): array
{
    $key = $call['signing'] ?? null;
    $malipo = new Malipo(
        $call['baseUrl'],
        $call['token'],
        journal: new FileJournal($journal),
        signing: $key === null ? null : new RequestSigner($key['keyId'], $key['privateKey']),
        timeoutMs: $call['timeoutMs'],
        retryForMs: $call['retryForMs'],
    );
    [$resource, $verb] = explode('.', $call['call']);
    try {
        if ($call['call'] === 'events.follow') {
            return follow($malipo, $call['request']);
        }
        $returned = $malipo->$resource->$verb($call['request']);
    } catch (MalipoException $error) {
        return [['outcome' => 'error', 'code' => $error->errorCode]];
    }
    return array_map(render(...), is_array($returned) ? $returned : [$returned]);
}

/**
 * @param array{after: string, until: string} $following
 * @return list<array<string, mixed>>
 */
function follow(Malipo $malipo, array $following): array
{
    $results = [];
    foreach ($malipo->events->follow($following['after']) as $page) {
        if ($page->expired) {
            $results[] = ['outcome' => 'expired'];
        }
        foreach ($page->events as $event) {
            if ($event['type'] === 'STATUS') {
                $results[] = ['outcome' => 'event', 'id' => $event['id'], 'status' => $event['status']];
            }
        }
        if (in_array(['outcome' => 'event', 'id' => $following['until'], 'status' => 'COMPLETED'], $results, true)) {
            break;
        }
    }
    return $results;
}

/** @return array<string, mixed> */
function render(Started|Acted|Found $returned): array
{
    if ($returned instanceof Found) {
        $payment = $returned->found ? $returned->payment : null;
        return $payment === null
            ? ['outcome' => 'not found']
            : ['outcome' => 'found', 'status' => $payment->status, 'paid' => $payment->paid];
    }
    $result = ['outcome' => $returned->outcome->value, 'id' => $returned->id];
    return $result + match ($returned->outcome) {
        Outcome::Rejected => ['code' => $returned->failureReason->failureCode],
        Outcome::Unknown => ['code' => $returned->cause->errorCode],
        Outcome::Accepted, Outcome::Duplicate => [],
    };
}
