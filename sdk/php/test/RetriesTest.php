<?php

declare(strict_types=1);

namespace Malipo\Test;

use Malipo\Http\HttpAnswer;
use Malipo\Http\HttpRequest;
use Malipo\Http\Transport;
use Malipo\Journal\FileJournal;
use Malipo\Journal\Journal;
use Malipo\Journal\MemoryJournal;
use Malipo\Kind;
use Malipo\Malipo;
use Malipo\MalipoException;
use Malipo\Outcome;
use Malipo\Started;
use Malipo\Testing\FakeGateway;
use Malipo\Testing\InstantPace;
use PHPUnit\Framework\TestCase;

/** Whatever goes wrong on the way, no payment is made twice, and no outcome is invented. */
final class RetriesTest extends TestCase
{
    private const WALLET = [
        'type' => 'MMO',
        'accountDetails' => ['provider' => 'MTN_MOMO_RWA', 'phoneNumber' => '250783456789'],
    ];
    private const DEPOSIT = ['amount' => '100', 'currency' => 'RWF', 'payer' => self::WALLET];
    private const PAYOUT = ['amount' => '100', 'currency' => 'RWF', 'recipient' => self::WALLET];

    private FakeGateway $gateway;
    private Malipo $malipo;

    protected function setUp(): void
    {
        $this->gateway = new FakeGateway();
        $this->malipo = $this->gateway->client();
    }

    public function testARequestIsInTheJournalBeforeItIsSentAndStaysWhileItsOutcomeIsUnknown(): void
    {
        $journal = new MemoryJournal();
        $seen = [];
        $transport = self::transport(static function () use ($journal, &$seen): never {
            $seen = $journal->unsettled();
            throw new \RuntimeException('anything a client of someone else may throw');
        });
        $malipo = $this->gateway->client(transport: $transport, journal: $journal);
        $started = $malipo->payouts->create(self::PAYOUT + ['clientReferenceId' => 'invoice 7']);
        self::assertSame(Outcome::Unknown, $started->outcome);
        self::assertSame(MalipoException::NETWORK, $started->cause->errorCode);
        self::assertSame(['payout', $started->id, 'invoice 7'], [
            $seen[0]->kind,
            $seen[0]->id,
            $seen[0]->clientReferenceId,
        ]);
        self::assertCount(1, $malipo->unsettled());
    }

    public function testNothingIsSentWhenTheJournalFails(): void
    {
        $journal = new FileJournal('/no/such/folder/journal');
        try {
            $this->gateway->client(journal: $journal)->payouts->create(self::PAYOUT);
            self::fail('It was sent.');
        } catch (\RuntimeException $error) {
            self::assertStringContainsString('nothing is sent', $error->getMessage());
        }
        self::assertSame([], $this->gateway->requests);
    }

    public static function cuts(): iterable
    {
        yield 'the request is lost' => [['loseNextRequest']];
        yield 'the answer is lost' => [['loseNextAnswer']];
        yield 'the answer is lost, and that to the status check' => [['loseNextAnswer', 'loseNextAnswer']];
        yield 'everything is lost for a while' => [array_fill(0, 5, 'loseNextRequest')];
    }

    /** @dataProvider cuts */
    public function testWhateverIsLostEachPayoutIsMadeOnce(array $cuts): void
    {
        foreach ($cuts as $cut) {
            $this->gateway->$cut();
        }
        $started = $this->malipo->payouts->createMany([self::PAYOUT, self::PAYOUT, self::PAYOUT]);
        self::assertSame(['accepted', 'accepted', 'accepted'], self::outcomes($started));
        self::assertSame(3, $this->gateway->count(Kind::Payout));
        self::assertSame([], $this->malipo->unsettled());
    }

    public function testARefusalThrowsAndLeavesNothingInTheJournal(): void
    {
        $this->gateway->answerNext(401, self::refusal('AUTHENTICATION_ERROR'));
        try {
            $this->malipo->deposits->create(self::DEPOSIT);
            self::fail('It was accepted.');
        } catch (MalipoException $error) {
            self::assertSame(['AUTHENTICATION_ERROR', 401], [$error->errorCode, $error->httpStatus]);
            self::assertStringContainsString('token', $error->whatToDo);
        }
        self::assertSame([], $this->malipo->unsettled());
    }

    public function testARefusedRepeatOfARequestWithAnUnknownOutcomeStaysInTheJournal(): void
    {
        $id = Malipo::newId();
        $requests = [
            static fn (Malipo $malipo) => $malipo->deposits->create(['depositId' => $id] + self::DEPOSIT),
            static fn (Malipo $malipo) => $malipo->paymentPages->create(['depositId' => $id]),
        ];
        $lost = self::transport(static fn () => throw new \RuntimeException('cut'));
        foreach ($requests as $send) {
            $journal = new MemoryJournal();
            $started = $send($this->gateway->client(transport: $lost, journal: $journal));
            self::assertSame(Outcome::Unknown, $started->outcome);
            $this->gateway->answerNext(401, self::refusal('AUTHENTICATION_ERROR'));
            try {
                $send($this->gateway->client(journal: $journal));
                self::fail('It was accepted.');
            } catch (MalipoException $error) {
                self::assertSame('AUTHENTICATION_ERROR', $error->errorCode);
            }
            self::assertSame([$id], array_column($journal->unsettled(), 'id'));
        }
    }

    public function testARefusalAfterALostAnswerIsUnknownBecauseTheLostOneMayHaveBeenAccepted(): void
    {
        $calls = 0;
        $transport = self::transport(static function () use (&$calls): HttpAnswer {
            return $calls++ === 0
                ? throw new \RuntimeException('cut')
                : new HttpAnswer(401, [], self::refusal('AUTHENTICATION_ERROR'));
        });
        $malipo = $this->gateway->client(transport: $transport);
        $started = $malipo->deposits->create(self::DEPOSIT);
        self::assertSame('AUTHENTICATION_ERROR', $started->cause->errorCode);
        self::assertCount(1, $malipo->unsettled());
    }

    public function testARejectionOfASecondAttemptIsCheckedBecauseTheFirstMayHaveArrived(): void
    {
        // The first arrives late: it is not found at first, and then the second is rejected because of it.
        $this->gateway->loseNextAnswer();
        $this->gateway->answerNext(200, '{"status":"NOT_FOUND"}');
        $this->gateway->rejectNext();
        self::assertSame(Outcome::Accepted, $this->malipo->payouts->create(self::PAYOUT)->outcome);
        self::assertSame(1, $this->gateway->count(Kind::Payout));
    }

    public function testItWaitsAsLongAsRetryAfterSays(): void
    {
        $this->gateway->answerNext(429, '', ['retry-after' => '3']);
        $this->gateway->answerNext(503, '', ['retry-after' => '4']);
        $pace = new InstantPace();
        $started = $this->gateway->client(pace: $pace)->deposits->create(self::DEPOSIT);
        self::assertSame(Outcome::Accepted, $started->outcome);
        self::assertGreaterThanOrEqual(7_000, $pace->nowMs());
        // Sent, sent again, asked for after the 503, sent again.
        self::assertSame(['POST', 'POST', 'GET', 'POST'], array_column($this->gateway->requests, 'method'));
    }

    public static function strangeAnswers(): iterable
    {
        yield 'a page of a proxy' => [200, '<html>'];
        yield 'nothing' => [200, ''];
        yield 'another identifier' => [200, '{"depositId":"x","status":"ACCEPTED","created":"2026-01-01T00:00:00Z"}'];
        yield 'an unknown status' => [200, '{"depositId":"ID","status":"NEW","created":"2026-01-01T00:00:00Z"}'];
        yield 'a redirect' => [302, '{"depositId":"ID","status":"ACCEPTED","created":"2026-01-01T00:00:00Z"}'];
    }

    /** @dataProvider strangeAnswers */
    public function testAnAnswerThatIsNotTheGatewaysIsNotTakenForOne(int $status, string $body): void
    {
        $id = Malipo::newId();
        $answer = new HttpAnswer($status, [], str_replace('ID', $id, $body));
        $malipo = $this->gateway->client(transport: self::transport(static fn () => $answer));
        $started = $malipo->deposits->create(['depositId' => $id] + self::DEPOSIT);
        self::assertSame(Outcome::Unknown, $started->outcome);
        self::assertSame(MalipoException::UNREADABLE_ANSWER, $started->cause->errorCode);
    }

    public function testWhenALaterListIsRefusedTheOutcomesOfEarlierOnesAreStillReturned(): void
    {
        $calls = 0;
        $transport = self::transport(function (HttpRequest $request) use (&$calls): HttpAnswer {
            return $calls++ === 0
                ? $this->gateway->send($request)
                : new HttpAnswer(401, [], self::refusal('AUTHENTICATION_ERROR'));
        });
        $started = $this->gateway->client(transport: $transport)->payouts->createMany(array_fill(0, 22, self::PAYOUT));
        $expected = [...array_fill(0, 20, 'accepted'), 'unknown', 'unknown'];
        self::assertSame($expected, self::outcomes($started));
    }

    public function testAJournalThatFailsAfterTheGatewayHasAnsweredHidesNoOutcome(): void
    {
        $full = self::journal(settle: static fn () => throw new \RuntimeException('no space'));
        $logger = new class extends \Psr\Log\AbstractLogger {
            public string $text = '';

            public function log($level, $message, array $context = []): void
            {
                $this->text .= strtr($message, ['{message}' => $context['message']]);
                throw new \RuntimeException('no space for the log either');
            }
        };
        $malipo = $this->gateway->client(journal: $full, logger: $logger);
        self::assertSame(Outcome::Accepted, $malipo->payouts->create(self::PAYOUT)->outcome);
        self::assertSame('Malipo: the journal could not be updated: no space', $logger->text);
        $this->gateway->answerNext(401, self::refusal('AUTHENTICATION_ERROR'));
        $this->expectExceptionMessage('Refused.');
        $malipo->payouts->create(self::PAYOUT);
    }

    public function testWhenTheJournalFailsForALaterListThatIsNotSentAndTheOutcomesOfEarlierOnesAreReturned(): void
    {
        $calls = 0;
        $full = self::journal(remember: static function () use (&$calls): void {
            $calls++ === 0 ?: throw new \RuntimeException('no space');
        });
        $started = $this->gateway->client(journal: $full)->payouts->createMany(array_fill(0, 22, self::PAYOUT));
        self::assertSame([...array_fill(0, 20, 'accepted'), 'unknown', 'unknown'], self::outcomes($started));
        self::assertSame(MalipoException::INTERRUPTED, $started[21]->cause->errorCode);
        self::assertCount(1, $this->gateway->requests);
    }

    public function testOfAListWithARequestThatJsonCannotHoldNothingIsSent(): void
    {
        $some = array_fill(0, 20, self::PAYOUT);
        try {
            $this->malipo->payouts->createMany([...$some, ['clientReferenceId' => "\xff"] + self::PAYOUT]);
            self::fail('It was sent.');
        } catch (MalipoException $error) {
            self::assertSame(MalipoException::MISUSE, $error->errorCode);
        }
        self::assertSame([], $this->gateway->requests);
    }

    public function testAnActionIsNotRepeatedWhenItsResultIsUnclear(): void
    {
        $payout = $this->malipo->payouts->create(self::PAYOUT);
        $this->gateway->loseNextAnswer();
        try {
            $this->malipo->payouts->cancel($payout->id);
            self::fail('It has a result.');
        } catch (MalipoException $error) {
            self::assertSame(MalipoException::NETWORK, $error->errorCode);
        }
        self::assertCount(2, $this->gateway->requests);
    }

    private static function transport(\Closure $send): Transport
    {
        return new class ($send) implements Transport {
            public function __construct(private readonly \Closure $work)
            {
            }

            public function send(HttpRequest $request): HttpAnswer
            {
                return ($this->work)($request);
            }
        };
    }

    /** A journal of someone else's, which keeps nothing. */
    private static function journal(?\Closure $remember = null, ?\Closure $settle = null): Journal
    {
        return new class ($remember, $settle) implements Journal {
            public function __construct(private readonly ?\Closure $onRemember, private readonly ?\Closure $onSettle)
            {
            }

            public function remember(array $entries): void
            {
                $this->onRemember?->__invoke();
            }

            public function settle(array $entries): void
            {
                $this->onSettle?->__invoke();
            }

            public function unsettled(): array
            {
                return [];
            }
        };
    }

    private static function refusal(string $code): string
    {
        return json_encode(['failureReason' => ['failureCode' => $code, 'failureMessage' => 'Refused.']]);
    }

    /** @param list<Started> $started */
    private static function outcomes(array $started): array
    {
        return array_map(static fn (Started $one) => $one->outcome->value, $started);
    }
}
