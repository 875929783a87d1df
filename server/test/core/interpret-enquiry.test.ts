import { describe, expect, test } from 'vitest';
import { interpretEnquiry, type EnquiryFacts } from '../../src/core/payments/process/interpret-enquiry.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const at = (seconds: number) => new Date(NOON.getTime() + seconds * 1_000);

const timing = {
  sendDeadlineMs: 10_000,
  timeoutMs: 5_000,
  notSeenAfterMs: 40_000,
  enquiryDelaysMs: [2_000],
  horizonMs: 600_000,
  reconciliationDelayMs: 3_600_000,
};

type Acknowledged = { readonly sendCount?: number; readonly providerReference?: string };

/** The attempt was claimed at noon; the operator says that it has never seen it. */
function notSeen(
  repeatedSubmit: 'HARMLESS' | 'CHARGES_AGAIN',
  { sendCount = 1, providerReference, ...facts }: Partial<EnquiryFacts> & Acknowledged,
): string {
  const { events, resubmits } = interpretEnquiry({
    operator: { timing, repeatedSubmit },
    state: 'PROCESSING',
    attempt: {
      claimedAt: NOON,
      sendDeadlineAt: at(10),
      sendCount,
      unsentCount: 0,
      ...(providerReference === undefined ? {} : { providerReference }),
    },
    outcome: { type: 'NOT_SEEN' },
    askedAt: at(40),
    ...facts,
  });
  const [event] = events;
  if (resubmits) return 'is sent';
  return event?.type === 'OPERATOR_ANSWERED' ? event.outcome.type : 'something else';
}

describe('an operator that has not seen a payment', () => {
  test.each([
    ['HARMLESS', 'is sent'],
    ['CHARGES_AGAIN', 'FAILED'],
  ] as const)('and calls repeats %s: %s', (repeatedSubmit, becomes) => {
    expect(notSeen(repeatedSubmit, {})).toBe(becomes);
    expect(notSeen(repeatedSubmit, { askedAt: at(39) })).toBe('NOT_SEEN');
  });

  test.each(['HARMLESS', 'CHARGES_AGAIN'] as const)(
    'a payment held after a restore that the operator has not seen is sent for the first time, where repeats are %s',
    (repeatedSubmit) => {
      expect(notSeen(repeatedSubmit, { sendCount: 0 })).toBe('is sent');
      expect(notSeen(repeatedSubmit, { sendCount: 0, askedAt: at(39) })).toBe('NOT_SEEN');
    },
  );

  test.each(['HARMLESS', 'CHARGES_AGAIN'] as const)(
    'a payment from before a restore that the operator has not seen has FAILED, held or not, where repeats are %s',
    (repeatedSubmit) => {
      for (const sendCount of [0, 1, 2]) {
        const facts = { sendCount, lostUntil: at(100) };
        expect(notSeen(repeatedSubmit, { ...facts, askedAt: at(139) })).toBe('NOT_SEEN');
        expect(notSeen(repeatedSubmit, { ...facts, askedAt: at(140) })).toBe('FAILED');
      }
    },
  );

  test.each(['HARMLESS', 'CHARGES_AGAIN'] as const)(
    'D: an attempt that it acknowledged with a reference of its own never counts as not seen, where repeats are %s',
    (repeatedSubmit) => {
      const acknowledged = { providerReference: 'MP260223.0012.B07597' };
      expect(notSeen(repeatedSubmit, acknowledged)).toBe('NOT_SEEN');
      expect(notSeen(repeatedSubmit, { ...acknowledged, askedAt: at(700) })).toBe('NOT_SEEN');
      expect(notSeen(repeatedSubmit, { ...acknowledged, lostUntil: at(100), askedAt: at(700) })).toBe(
        'NOT_SEEN',
      );
    },
  );

  test("a refund that is known by its deposit's reference was not acknowledged by having it", () => {
    const operator = { timing, repeatedSubmit: 'HARMLESS', reference: { isOriginals: true } } as const;
    expect(notSeen('HARMLESS', { operator, providerReference: 'cos-1' })).toBe('is sent');
  });
});

describe('A2: a question that our own rate budget held back', () => {
  const outcome = { type: 'UNKNOWN', reason: 'RATE_LIMITED_HERE' } as const;
  const attempt = { claimedAt: NOON, sendDeadlineAt: at(10), sendCount: 1, unsentCount: 0 };
  const facts = {
    operator: { timing, repeatedSubmit: 'HARMLESS' },
    state: 'PROCESSING',
    attempt,
    outcome,
  } as const;
  const HORIZON_SECONDS = 600;

  test('A2: a question that our own rate budget held back was not asked, and does not count', () => {
    expect(interpretEnquiry({ ...facts, askedAt: at(40) })).toEqual({ events: [], resubmits: false });
    const late = { ...facts, state: 'IN_RECONCILIATION', askedAt: at(HORIZON_SECONDS + 40) } as const;
    expect(interpretEnquiry(late)).toEqual({ events: [], resubmits: false });
  });

  test('A2: a question that our own rate budget held back does not keep a payment from IN_RECONCILIATION once its time is over', () => {
    const { events } = interpretEnquiry({ ...facts, askedAt: at(HORIZON_SECONDS) });
    expect(events.map(({ type }) => type)).toEqual(['OPERATOR_ANSWERED', 'HORIZON_PASSED']);
  });
});
