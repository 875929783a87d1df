<?php

declare(strict_types=1);

namespace Malipo\Test;

use Malipo\FailureReason;
use Malipo\Found;
use Malipo\Kind;
use Malipo\MalipoException;
use Malipo\Acted;
use Malipo\Outcome;
use Malipo\Prediction;
use Malipo\Started;
use Malipo\Still;
use PHPUnit\Framework\TestCase;

/** The rule behind all of them: found, accepted and ACCEPTED are not paid, and no result can be read as if it were. */
final class ResultsTest extends TestCase
{
    public static function misreadings(): iterable
    {
        $reason = new FailureReason('X', 'x');
        $cause = MalipoException::misuse('x', 'x');
        $deposit = Kind::Deposit->record(['depositId' => 'x', 'status' => 'PROCESSING']);
        $statement = Kind::Statement->record(['statementId' => 'x', 'status' => 'COMPLETED']);
        $accepted = Started::accepted('x', ['created' => 'x']);
        yield 'an accepted request has no status' => [$accepted, 'status'];
        yield 'an accepted request is not paid' => [$accepted, 'paid'];
        yield 'an accepted request has no reason' => [$accepted, 'failureReason'];
        yield 'a rejected request has no time of acceptance' => [Started::rejected('x', $reason), 'created'];
        yield 'a rejected statement has no identifier' => [Started::rejected(null, $reason), 'id'];
        yield 'an unknown outcome has no time of acceptance' => [Started::unknown('x', $cause), 'created'];
        yield 'an unknown outcome is not a failure' => [Started::unknown('x', $cause), 'failureReason'];
        yield 'a payment that was not found has no record' => [new Found(null), 'payment'];
        yield 'the answer to a status check has no status' => [new Found($deposit), 'status'];
        yield 'the answer to a status check is not paid' => [new Found($deposit), 'paid'];
        yield 'what a payment still is is not its end' => [new Still('PROCESSING'), 'status'];
        yield 'an action that was accepted has no reason' => [new Acted('x', null), 'failureReason'];
        yield 'a number without a provider has none' => [new Prediction(false, []), 'provider'];
        yield 'a statement moves no money' => [$statement, 'paid'];
        yield 'a field that the API does not have' => [$deposit, 'amout'];
    }

    /** @dataProvider misreadings */
    public function testAFieldThatIsNotThereThrows(object $result, string $field): void
    {
        self::assertFalse(isset($result->$field));
        $this->expectException(MalipoException::class);
        $result->$field;
    }

    /** @dataProvider misreadings */
    public function testAResultCannotBeChanged(object $result, string $field): void
    {
        $this->expectException(MalipoException::class);
        $result->$field = true;
    }

    public static function statuses(): iterable
    {
        foreach (Kind::cases() as $kind) {
            $ends = ['COMPLETED', 'FAILED', ...match ($kind) {
                Kind::SplitPayment => ['PAYOUT_FAILED'],
                Kind::Checkout => ['EXPIRED', 'CANCELLED'],
                default => [],
            }];
            foreach (['ACCEPTED', 'PROCESSING', 'ENQUEUED', 'FOUND', 'A_NEW_ONE', ...$ends] as $status) {
                yield "$kind->value $status" => [$kind, $status, in_array($status, $ends, true)];
            }
        }
    }

    /** @dataProvider statuses */
    public function testOnlyACompletedPaymentIsPaid(Kind $kind, string $status, bool $isFinal): void
    {
        $record = $kind->record([$kind->idName() => 'x', 'status' => $status]);
        self::assertSame($isFinal, $record->isFinal);
        if ($kind !== Kind::Statement) {
            self::assertSame($status === 'COMPLETED', $record->paid);
        }
    }

    public function testAnOptionalFieldThatIsNotSetIsNull(): void
    {
        $deposit = Kind::Deposit->record(['depositId' => 'x', 'status' => 'PROCESSING', 'newField' => 1]);
        self::assertNull($deposit->clientReferenceId);
        self::assertNull($deposit->failureReason);
        self::assertSame(1, $deposit->{'newField'}, 'a field that was added later can be read');
    }

    public function testAnOutcomeIsNotEqualToAText(): void
    {
        // A match without a case for it throws, instead of going on as if it were accepted.
        $this->expectException(\UnhandledMatchError::class);
        match (Started::accepted('x', [])->outcome) {
            'accepted' => null,
            Outcome::Rejected => null,
        };
    }
}
