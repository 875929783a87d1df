import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConnectorTiming } from '../../src/connectors/port.ts';
import { horizonOf, nextEnquiryAt, notSeenProvedAt, type StepFacts } from '../../src/core/schedule.ts';

const SECOND_MS = 1_000;
const NOON = new Date('2026-03-01T12:00:00Z');
const at = (seconds: number) => new Date(NOON.getTime() + seconds * SECOND_MS);

const timing: ConnectorTiming = {
  sendDeadlineMs: 10 * SECOND_MS,
  timeoutMs: 5 * SECOND_MS,
  notSeenAfterMs: 40 * SECOND_MS,
  enquiryDelaysMs: [2, 5, 30].map((seconds) => seconds * SECOND_MS),
  horizonMs: 600 * SECOND_MS,
  reconciliationDelayMs: 3_600 * SECOND_MS,
};

/** The operator answered, ten seconds after the claim, that it does not know yet. */
const answered: StepFacts = {
  event: 'OPERATOR_ANSWERED',
  state: 'PROCESSING',
  enquiryCount: 0,
  claimedAt: NOON,
  now: at(10),
  timing,
};

describe('the next enquiry', () => {
  test.each([
    [0, 2],
    [1, 5],
    [2, 30],
    [3, 30],
    [99, 30],
  ])('after %s enquiries comes %s s later: the last wait of the ladder repeats', (enquiryCount, seconds) => {
    expect(nextEnquiryAt({ ...answered, enquiryCount })).toEqual(at(10 + seconds));
  });

  test.each(['SUBMIT_CLAIMED', 'RESUBMIT_CLAIMED'] as const)(
    'after %s comes when anyone who holds the permission has either sent and heard, or may not send',
    (event) => {
      expect(nextEnquiryAt({ ...answered, event })).toEqual(at(10 + 10 + 5));
    },
  );

  test('after a hint comes now, whatever the ladder, the state and the horizon say', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99 }),
        fc.integer({ min: 0, max: 100_000 }),
        fc.constantFrom('PROCESSING', 'IN_RECONCILIATION'),
        (enquiryCount, seconds, state) => {
          const now = at(seconds);
          expect(nextEnquiryAt({ ...answered, event: 'HINTED', enquiryCount, now, state })).toEqual(now);
        },
      ),
    );
  });

  test('the next enquiry is brought forward to the horizon where the ladder would lead past it', () => {
    const late = { ...answered, enquiryCount: 9 };
    expect(nextEnquiryAt({ ...late, now: at(569) })).toEqual(at(599));
    expect(nextEnquiryAt({ ...late, now: at(570) })).toEqual(at(600));
    expect(nextEnquiryAt({ ...late, now: at(571) })).toEqual(at(600));
    expect(nextEnquiryAt({ ...late, now: at(599.999) })).toEqual(at(600));
  });

  test('the next enquiry is due at once where an answer came after the horizon: the question after it ends PROCESSING', () => {
    expect(nextEnquiryAt({ ...answered, now: at(600) })).toEqual(at(600));
    expect(nextEnquiryAt({ ...answered, now: at(700) })).toEqual(at(600));
  });

  test.each(['OPERATOR_ANSWERED', 'HORIZON_PASSED'] as const)(
    'after %s in IN_RECONCILIATION comes at the slow pace',
    (event) => {
      const facts = { ...answered, event, state: 'IN_RECONCILIATION' as const, now: at(700) };
      expect(nextEnquiryAt(facts)).toEqual(at(700 + 3_600));
    },
  );

  const DAY = 24 * 3_600;

  test.each([
    ['hourly until a day after the horizon', 600 + DAY - 1, timing, 3_600],
    ['daily from then on', 600 + DAY, timing, DAY],
    [
      'as seldom as the connector says',
      600 + 30 * DAY,
      { ...timing, lateReconciliationDelayMs: 7_200_000 },
      7_200,
    ],
    ['never more often than before', 600 + DAY, { ...timing, lateReconciliationDelayMs: 1_000 }, 3_600],
  ])('in IN_RECONCILIATION comes %s', (_, seconds, ladder, waited) => {
    const facts = { ...answered, state: 'IN_RECONCILIATION' as const, now: at(seconds), timing: ladder };
    expect(nextEnquiryAt(facts)).toEqual(at(seconds + waited));
  });

  test('of a connector without a ladder comes at the slow pace, and not past the horizon', () => {
    const bare = { ...timing, enquiryDelaysMs: [] };
    expect(nextEnquiryAt({ ...answered, timing: bare })).toEqual(at(600));
    expect(nextEnquiryAt({ ...answered, timing: { ...bare, horizonMs: 9_000 * SECOND_MS } })).toEqual(
      at(3_610),
    );
  });

  test('the next enquiry is never past the horizon, and in the future as long as the horizon is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 2_000_000 }),
        fc.integer({ min: 0, max: 3_000_000 }),
        fc.nat({ max: 12 }),
        (enquiryDelaysMs, horizonMs, sinceClaimMs, enquiryCount) => {
          const now = new Date(NOON.getTime() + sinceClaimMs);
          const facts = { ...answered, now, enquiryCount, timing: { ...timing, enquiryDelaysMs, horizonMs } };
          const next = nextEnquiryAt(facts);
          const horizon = horizonOf(NOON, facts.timing);
          expect(next.getTime()).toBeLessThanOrEqual(horizon.getTime());
          if (now < horizon) expect(next.getTime()).toBeGreaterThan(now.getTime());
        },
      ),
    );
  });

  test('a payment that only hears "pending" is asked at the horizon itself, so that it leaves PROCESSING in time', () => {
    let [now, enquiryCount] = [at(25), 0];
    while (now < at(600)) {
      now = nextEnquiryAt({ ...answered, now, enquiryCount });
      enquiryCount += 1;
    }
    expect(now).toEqual(at(600));
  });
});

describe('proof that an operator has not seen an attempt', () => {
  test('proof that an operator has not seen an attempt comes notSeenAfterMs after the claim, counted from the end of the permission to send', () => {
    const sendDeadlineAt = new Date(NOON.getTime() + timing.sendDeadlineMs);
    expect(notSeenProvedAt(sendDeadlineAt, timing)).toEqual(at(40));
  });

  test('proof that an operator has not seen an attempt moves with the deadline when the attempt is sent again', () => {
    expect(notSeenProvedAt(at(100), timing)).toEqual(at(130));
  });
});
