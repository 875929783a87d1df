import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isFinal,
  transition,
  type LifeState,
  type PaymentEvent,
  type Transition,
} from '../../src/domain/payments/lifecycle.ts';
import { isDiscrepancy, type End, type Outcome } from '../../src/domain/payments/outcome.ts';
import { arbitraryWaitingEvent, unknownReasons } from './arbitrary-event.ts';
import { readTextTable } from './text-table.ts';

/**
 * The whole lifecycle. "says …" is an operator's answer, "ends …" a person's. Where a final state becomes "case …", the
 * state stays.
 */
const LIFECYCLE = `
  state             | event               | becomes           | and
  ----------------- | ------------------- | ----------------- | ----------------------------------------
  ACCEPTED          | SUBMIT_CLAIMED      | PROCESSING        | ENQUIRE next
  ACCEPTED          | SUBMIT_HELD         | PROCESSING        | ENQUIRE next
  ACCEPTED          | SUBMIT_UNSENT       | nothing           |
  ACCEPTED          | SUBMIT_EXPIRED      | FAILED            | post VOID, callback, because OTHER_ERROR
  ACCEPTED          | HINTED              | nothing           |
  ACCEPTED          | RESUBMIT_CLAIMED    | nothing           |
  ACCEPTED          | HORIZON_PASSED      | nothing           |
  ACCEPTED          | PROVIDER_DELAYED    | ENQUEUED          |
  ACCEPTED          | RELEASED            | nothing           |
  ACCEPTED          | CANCELLED           | nothing           |
  ACCEPTED          | ends COMPLETED      | nothing           |
  ACCEPTED          | ends FAILED         | nothing           |
  ACCEPTED          | says COMPLETED      | nothing           |
  ACCEPTED          | says FAILED         | nothing           |
  ACCEPTED          | says PENDING        | nothing           |
  ACCEPTED          | says REDIRECT       | nothing           |
  ACCEPTED          | says NOT_SEEN       | nothing           |
  ACCEPTED          | says NO_ANSWER      | nothing           |
  ACCEPTED          | says AMOUNT_DIFFERS | nothing           |
  ----------------- | ------------------- | ----------------- | ----------------------------------------
  ENQUEUED          | SUBMIT_CLAIMED      | PROCESSING        | ENQUIRE next
  ENQUEUED          | SUBMIT_HELD         | PROCESSING        | ENQUIRE next
  ENQUEUED          | SUBMIT_UNSENT       | nothing           |
  ENQUEUED          | SUBMIT_EXPIRED      | nothing           |
  ENQUEUED          | HINTED              | nothing           |
  ENQUEUED          | RESUBMIT_CLAIMED    | nothing           |
  ENQUEUED          | HORIZON_PASSED      | nothing           |
  ENQUEUED          | PROVIDER_DELAYED    | ENQUEUED          |
  ENQUEUED          | RELEASED            | ENQUEUED          | SUBMIT next
  ENQUEUED          | CANCELLED           | FAILED            | post VOID, callback, because MANUALLY_CANCELLED
  ENQUEUED          | ends COMPLETED      | nothing           |
  ENQUEUED          | ends FAILED         | nothing           |
  ENQUEUED          | says COMPLETED      | nothing           |
  ENQUEUED          | says FAILED         | nothing           |
  ENQUEUED          | says PENDING        | nothing           |
  ENQUEUED          | says REDIRECT       | nothing           |
  ENQUEUED          | says NOT_SEEN       | nothing           |
  ENQUEUED          | says NO_ANSWER      | nothing           |
  ENQUEUED          | says AMOUNT_DIFFERS | nothing           |
  ----------------- | ------------------- | ----------------- | ----------------------------------------
  PROCESSING        | SUBMIT_CLAIMED      | nothing           |
  PROCESSING        | SUBMIT_HELD         | nothing           |
  PROCESSING        | SUBMIT_UNSENT       | PROCESSING        | SUBMIT next
  PROCESSING        | SUBMIT_EXPIRED      | nothing           |
  PROCESSING        | HINTED              | PROCESSING        | ENQUIRE next
  PROCESSING        | RESUBMIT_CLAIMED    | PROCESSING        | ENQUIRE next
  PROCESSING        | HORIZON_PASSED      | IN_RECONCILIATION | ENQUIRE next
  PROCESSING        | PROVIDER_DELAYED    | nothing           |
  PROCESSING        | RELEASED            | nothing           |
  PROCESSING        | CANCELLED           | nothing           |
  PROCESSING        | ends COMPLETED      | nothing           |
  PROCESSING        | ends FAILED         | nothing           |
  PROCESSING        | says COMPLETED      | COMPLETED         | post SETTLE, callback
  PROCESSING        | says FAILED         | FAILED            | post VOID, callback, because PAYMENT_NOT_APPROVED
  PROCESSING        | says PENDING        | PROCESSING        | ENQUIRE next
  PROCESSING        | says REDIRECT       | PROCESSING        | callback, ENQUIRE next
  PROCESSING        | says NOT_SEEN       | PROCESSING        | ENQUIRE next
  PROCESSING        | says NO_ANSWER      | PROCESSING        | ENQUIRE next
  PROCESSING        | says AMOUNT_DIFFERS | IN_RECONCILIATION | ENQUIRE next, case DISCREPANCY
  ----------------- | ------------------- | ----------------- | ----------------------------------------
  RETURNED          | SUBMIT_CLAIMED      | PROCESSING        | ENQUIRE next
  RETURNED          | SUBMIT_HELD         | PROCESSING        | ENQUIRE next
  RETURNED          | SUBMIT_UNSENT       | nothing           |
  RETURNED          | SUBMIT_EXPIRED      | FAILED            | post VOID, callback, because OTHER_ERROR
  RETURNED          | HINTED              | nothing           |
  RETURNED          | RESUBMIT_CLAIMED    | nothing           |
  RETURNED          | HORIZON_PASSED      | nothing           |
  RETURNED          | PROVIDER_DELAYED    | PROCESSING        | SUBMIT next
  RETURNED          | RELEASED            | nothing           |
  RETURNED          | CANCELLED           | nothing           |
  RETURNED          | ends COMPLETED      | nothing           |
  RETURNED          | ends FAILED         | nothing           |
  RETURNED          | says COMPLETED      | COMPLETED         | post SETTLE, callback
  RETURNED          | says FAILED         | FAILED            | post VOID, callback, because PAYMENT_NOT_APPROVED
  RETURNED          | says PENDING        | PROCESSING        | ENQUIRE next
  RETURNED          | says REDIRECT       | PROCESSING        | callback, ENQUIRE next
  RETURNED          | says NOT_SEEN       | nothing           |
  RETURNED          | says NO_ANSWER      | nothing           |
  RETURNED          | says AMOUNT_DIFFERS | IN_RECONCILIATION | ENQUIRE next, case DISCREPANCY
  ----------------- | ------------------- | ----------------- | ----------------------------------------
  IN_RECONCILIATION | SUBMIT_CLAIMED      | nothing           |
  IN_RECONCILIATION | SUBMIT_HELD         | nothing           |
  IN_RECONCILIATION | SUBMIT_UNSENT       | nothing           |
  IN_RECONCILIATION | SUBMIT_EXPIRED      | nothing           |
  IN_RECONCILIATION | HINTED              | IN_RECONCILIATION | ENQUIRE next
  IN_RECONCILIATION | RESUBMIT_CLAIMED    | IN_RECONCILIATION | ENQUIRE next
  IN_RECONCILIATION | HORIZON_PASSED      | nothing           |
  IN_RECONCILIATION | PROVIDER_DELAYED    | nothing           |
  IN_RECONCILIATION | RELEASED            | nothing           |
  IN_RECONCILIATION | CANCELLED           | nothing           |
  IN_RECONCILIATION | ends COMPLETED      | COMPLETED         | post SETTLE, callback
  IN_RECONCILIATION | ends FAILED         | FAILED            | post VOID, callback, because UNSPECIFIED_FAILURE
  IN_RECONCILIATION | says COMPLETED      | COMPLETED         | post SETTLE, callback
  IN_RECONCILIATION | says FAILED         | FAILED            | post VOID, callback, because PAYMENT_NOT_APPROVED
  IN_RECONCILIATION | says PENDING        | IN_RECONCILIATION | ENQUIRE next
  IN_RECONCILIATION | says REDIRECT       | IN_RECONCILIATION | callback, ENQUIRE next
  IN_RECONCILIATION | says NOT_SEEN       | IN_RECONCILIATION | ENQUIRE next
  IN_RECONCILIATION | says NO_ANSWER      | IN_RECONCILIATION | ENQUIRE next
  IN_RECONCILIATION | says AMOUNT_DIFFERS | IN_RECONCILIATION | ENQUIRE next, case DISCREPANCY
  ----------------- | ------------------- | ----------------- | ----------------------------------------
  COMPLETED         | SUBMIT_CLAIMED      | nothing           |
  COMPLETED         | SUBMIT_HELD         | nothing           |
  COMPLETED         | SUBMIT_UNSENT       | nothing           |
  COMPLETED         | SUBMIT_EXPIRED      | nothing           |
  COMPLETED         | HINTED              | nothing           |
  COMPLETED         | RESUBMIT_CLAIMED    | nothing           |
  COMPLETED         | HORIZON_PASSED      | nothing           |
  COMPLETED         | PROVIDER_DELAYED    | nothing           |
  COMPLETED         | RELEASED            | nothing           |
  COMPLETED         | CANCELLED           | nothing           |
  COMPLETED         | ends COMPLETED      | nothing           |
  COMPLETED         | ends FAILED         | nothing           |
  COMPLETED         | says COMPLETED      | nothing           |
  COMPLETED         | says FAILED         | case LATE_FAILURE |
  COMPLETED         | says PENDING        | nothing           |
  COMPLETED         | says REDIRECT       | nothing           |
  COMPLETED         | says NOT_SEEN       | nothing           |
  COMPLETED         | says NO_ANSWER      | nothing           |
  COMPLETED         | says AMOUNT_DIFFERS | case DISCREPANCY  |
  ----------------- | ------------------- | ----------------- | ----------------------------------------
  FAILED            | SUBMIT_CLAIMED      | nothing           |
  FAILED            | SUBMIT_HELD         | nothing           |
  FAILED            | SUBMIT_UNSENT       | nothing           |
  FAILED            | SUBMIT_EXPIRED      | nothing           |
  FAILED            | HINTED              | nothing           |
  FAILED            | RESUBMIT_CLAIMED    | nothing           |
  FAILED            | HORIZON_PASSED      | nothing           |
  FAILED            | PROVIDER_DELAYED    | nothing           |
  FAILED            | RELEASED            | nothing           |
  FAILED            | CANCELLED           | nothing           |
  FAILED            | ends COMPLETED      | nothing           |
  FAILED            | ends FAILED         | nothing           |
  FAILED            | says COMPLETED      | case LATE_SUCCESS |
  FAILED            | says FAILED         | nothing           |
  FAILED            | says PENDING        | nothing           |
  FAILED            | says REDIRECT       | nothing           |
  FAILED            | says NOT_SEEN       | nothing           |
  FAILED            | says NO_ANSWER      | nothing           |
  FAILED            | says AMOUNT_DIFFERS | case DISCREPANCY  |
`;

const STATES = {
  ACCEPTED: true,
  ENQUEUED: true,
  PROCESSING: true,
  RETURNED: true,
  IN_RECONCILIATION: true,
  COMPLETED: true,
  FAILED: true,
} satisfies Record<LifeState, true>;

const EVENTS: Readonly<Record<string, PaymentEvent>> = {
  SUBMIT_CLAIMED: { type: 'SUBMIT_CLAIMED' },
  SUBMIT_HELD: { type: 'SUBMIT_HELD', lostUntil: new Date(0) },
  SUBMIT_UNSENT: { type: 'SUBMIT_UNSENT', sendCount: 1 },
  SUBMIT_EXPIRED: { type: 'SUBMIT_EXPIRED' },
  HINTED: { type: 'HINTED' },
  RESUBMIT_CLAIMED: { type: 'RESUBMIT_CLAIMED', sendCount: 1 },
  HORIZON_PASSED: { type: 'HORIZON_PASSED' },
  PROVIDER_DELAYED: { type: 'PROVIDER_DELAYED' },
  RELEASED: { type: 'RELEASED' },
  CANCELLED: { type: 'CANCELLED' },
  'ends COMPLETED': endsBy({ type: 'COMPLETED', providerTransactionId: 'T1' }),
  'ends FAILED': endsBy({ type: 'FAILED', code: 'UNSPECIFIED_FAILURE' }),
  'says COMPLETED': says({ type: 'COMPLETED' }),
  'says FAILED': says({ type: 'FAILED', code: 'PAYMENT_NOT_APPROVED' }),
  'says PENDING': says({ type: 'PENDING' }),
  'says REDIRECT': says({ type: 'PENDING', authorizationUrl: 'https://operator.example/pay' }),
  'says NOT_SEEN': says({ type: 'NOT_SEEN' }),
  'says NO_ANSWER': says({ type: 'UNKNOWN', reason: 'NO_ANSWER' }),
  'says AMOUNT_DIFFERS': says({ type: 'UNKNOWN', reason: 'AMOUNT_DIFFERS' }),
};

const states = Object.keys(STATES) as readonly LifeState[];
const rows = readTextTable(LIFECYCLE).map(([state = '', event = '', becomes = '', and = '']) => ({
  state: state as LifeState,
  event,
  becomes,
  and,
}));

describe('the lifecycle, row by row', () => {
  test.each(rows)('$state, $event: $becomes $and', ({ state, event, becomes, and }) => {
    expect(renderTransition(transition(state, EVENTS[event]!))).toEqual({ becomes, and });
  });

  test('the table has every pair of a state and an event, once', () => {
    const written = rows.map(({ state, event }) => `${state}, ${event}`);
    const pairs = states.flatMap((state) => Object.keys(EVENTS).map((event) => `${state}, ${event}`));
    expect(written).toEqual(pairs);
  });

  test.each(unknownReasons)(
    '%s is treated like NO_ANSWER or like AMOUNT_DIFFERS, in every state',
    (reason) => {
      const like = isDiscrepancy(reason) ? 'says AMOUNT_DIFFERS' : 'says NO_ANSWER';
      for (const state of states) {
        const answer = transition(state, says({ type: 'UNKNOWN', reason }));
        expect(answer).toEqual(transition(state, EVENTS[like]!));
      }
    },
  );
});

describe('whatever happens, in whatever state', () => {
  const anyEvent = arbitraryWaitingEvent({ amount: 10_000n, currency: 'RWF', phoneNumber: '250783456789' });
  const anyMove = fc
    .tuple(fc.constantFrom(...states), anyEvent)
    .map(([from, event]) => ({ from, event, answer: transition(from, event) }));

  test('a final state is never left', () => {
    check(anyMove, ({ from, answer }) => {
      if (isFinal(from)) expect(answer.type).not.toBe('MOVE');
    });
  });

  test('only a final state can be contradicted', () => {
    check(anyMove, ({ from, answer }) => {
      if (answer.type === 'CONTRADICTION') expect(isFinal(from)).toBe(true);
    });
  });

  test('a payment that is not final has a next step or waits for its provider, and a final one has none', () => {
    check(anyMove, ({ answer }) => {
      if (answer.type !== 'MOVE') return;
      if (isFinal(answer.to)) expect(answer.next).toBe(null);
      else if (answer.to !== 'ENQUEUED') expect(answer.next).not.toBe(null);
    });
  });

  test('every end is announced; COMPLETED settles what was held, FAILED frees it, nothing else touches money', () => {
    check(anyMove, ({ answer }) => {
      if (answer.type !== 'MOVE') return;
      const expected = { COMPLETED: 'SETTLE', FAILED: 'VOID' } as Record<string, string>;
      expect(answer.posting).toBe(expected[answer.to] ?? null);
      if (isFinal(answer.to)) expect(answer.announced).toBe(true);
    });
  });

  test('a failed payment says why, and no other one does', () => {
    check(anyMove, ({ answer }) => {
      if (answer.type === 'MOVE') expect(answer.failureCode !== undefined).toBe(answer.to === 'FAILED');
    });
  });

  test('an answer of the operator ends a payment; one that waits is cancelled or too late, one in reconciliation ended manually', () => {
    check(anyMove, ({ from, event, answer }) => {
      if (answer.type !== 'MOVE' || !isFinal(answer.to)) return;
      if (event.type === 'CANCELLED') {
        expect(from).toBe('ENQUEUED');
        return;
      }
      if (event.type === 'SUBMIT_EXPIRED') {
        expect(['ACCEPTED', 'RETURNED']).toContain(from);
        return;
      }
      if (event.type === 'ENDED_MANUALLY') {
        expect({ from, to: answer.to }).toEqual({ from: 'IN_RECONCILIATION', to: event.outcome.type });
        return;
      }
      expect(event).toMatchObject({ type: 'OPERATOR_ANSWERED', outcome: { type: answer.to } });
    });
  });

  test('a payment goes to the operator by a claim, and never back', () => {
    check(anyMove, ({ from, event, answer }) => {
      if (answer.type !== 'MOVE') return;
      const wasUnsent = from === 'ACCEPTED' || from === 'ENQUEUED';
      if (wasUnsent && answer.to === 'PROCESSING') expect(event.type).toMatch(/^SUBMIT_(CLAIMED|HELD)$/);
      if (!wasUnsent) expect(['ACCEPTED', 'ENQUEUED']).not.toContain(answer.to);
      if (from === 'IN_RECONCILIATION') expect(answer.to).not.toBe('PROCESSING');
    });
  });
});

function endsBy(outcome: End): PaymentEvent {
  return { type: 'ENDED_MANUALLY', outcome };
}

function says(outcome: Outcome): PaymentEvent {
  return { type: 'OPERATOR_ANSWERED', outcome };
}

function renderTransition(answer: Transition): { becomes: string; and: string } {
  switch (answer.type) {
    case 'NOTHING':
      return { becomes: 'nothing', and: '' };
    case 'CONTRADICTION':
      return { becomes: `case ${answer.evidence}`, and: '' };
    case 'MOVE':
      return { becomes: answer.to, and: renderConsequences(answer) };
  }
}

function renderConsequences(move: Transition & { type: 'MOVE' }): string {
  return [
    move.posting === null ? '' : `post ${move.posting}`,
    move.announced ? 'callback' : '',
    move.next === null ? '' : `${move.next} next`,
    move.failureCode === undefined ? '' : `because ${move.failureCode}`,
    move.evidence === undefined ? '' : `case ${move.evidence}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function check<Value>(arbitrary: fc.Arbitrary<Value>, rule: (value: Value) => void): void {
  fc.assert(fc.property(arbitrary, rule), { numRuns: 2_000 });
}
