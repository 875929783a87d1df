// The pictures of docs/images. Those of docs/reference/states.md against the source: the same states, the same ways.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  CHECKOUT_STATUSES,
  nextCheckoutStatus,
  type CheckoutEvent,
} from '../../src/domain/checkouts/checkout.ts';
import { transition, type PaymentEvent } from '../../src/domain/payments/lifecycle.ts';
import { PAYMENT_STATES, type PaymentState } from '../../src/domain/payments/payment.ts';
import { splitStatus } from '../../src/domain/payments/split.ts';
import { readShownPictures } from '../../../tools/screenshots/shown.ts';

type Picture = { readonly states: readonly string[]; readonly ways: readonly string[] };

function readPicture(name: string): Picture {
  const text = readFileSync(new URL(`../../../docs/images/states-${name}.svg`, import.meta.url), 'utf8');
  const arrows = [...text.matchAll(/data-from="([^"]+)" data-to="([^"]+)"/g)];
  return {
    states: [...text.matchAll(/data-state="([^"]+)"/g)].map(([, state = '']) => state).toSorted(),
    ways: arrows.flatMap(([, from = '', to]) => from.split(' ').map((one) => `${one} ${to}`)).toSorted(),
  };
}

const COMPLETED = { type: 'COMPLETED' } as const;
const FAILED = { type: 'FAILED', code: 'PAYMENT_NOT_APPROVED' } as const;
const PAYMENT_EVENTS = [
  { type: 'SUBMIT_CLAIMED' },
  { type: 'SUBMIT_UNSENT', sendCount: 1 },
  { type: 'SUBMIT_EXPIRED' },
  { type: 'OPERATOR_ANSWERED', outcome: COMPLETED },
  { type: 'OPERATOR_ANSWERED', outcome: FAILED },
  { type: 'HINTED' },
  { type: 'RESUBMIT_CLAIMED', sendCount: 1 },
  { type: 'HORIZON_PASSED' },
  { type: 'PROVIDER_DELAYED' },
  { type: 'RELEASED' },
  { type: 'CANCELLED' },
  { type: 'ENDED_MANUALLY', outcome: COMPLETED },
  { type: 'ENDED_MANUALLY', outcome: FAILED },
] as unknown as readonly PaymentEvent[];

/** The states that can follow a state, itself left out. */
function following(state: PaymentState): readonly PaymentState[] {
  const moves = PAYMENT_EVENTS.map((event) => transition(state, event));
  return moves.flatMap((move) => (move.type === 'MOVE' && move.to !== state ? [move.to] : []));
}

const sortedWays = (ways: Iterable<string>) => [...new Set(ways)].toSorted();

describe('the pictures of states', () => {
  test('a payment goes the ways of its picture and no other', () => {
    const ways = PAYMENT_STATES.flatMap((from) => following(from).map((to) => `${from} ${to}`));
    expect(readPicture('payment')).toEqual({
      states: PAYMENT_STATES.toSorted(),
      ways: sortedWays(ways),
    });
  });

  test('a checkout goes the ways of its picture and no other', () => {
    const events: readonly CheckoutEvent[] = [
      { type: 'ATTEMPT_STARTED' },
      { type: 'ATTEMPT_ENDED', state: 'COMPLETED' },
      { type: 'ATTEMPT_ENDED', state: 'FAILED' },
      { type: 'TIME_PASSED' },
      { type: 'EXPIRED_BY_MERCHANT' },
      { type: 'CANCELLED_BY_PAYER' },
    ];
    const ways = CHECKOUT_STATUSES.flatMap((from) =>
      events.flatMap((event) =>
        [true, false]
          .map((isOver) => nextCheckoutStatus(from, event, { isOver }))
          .flatMap((to) => (to === null ? [] : [`${from} ${to}`])),
      ),
    );
    expect(readPicture('checkout')).toEqual({
      states: CHECKOUT_STATUSES.toSorted(),
      ways: sortedWays(ways),
    });
  });

  test('a split payment goes the ways of its picture and no other', () => {
    const ways = sortedWays(waysOfSplit());
    expect(readPicture('split-payment')).toEqual({
      states: [...new Set(ways.flatMap((way) => way.split(' ')))].toSorted(),
      ways,
    });
  });
});

test('every drawing says what it shows, and has colours for both themes', () => {
  const folder = new URL('../../../docs/images/', import.meta.url);
  const drawings = readdirSync(folder).filter((name) => name.endsWith('.svg'));
  expect(drawings.length).toBeGreaterThan(5);
  for (const name of drawings) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    for (const part of ['<title', '<desc', 'prefers-color-scheme: dark'])
      expect([name, text.includes(part)]).toEqual([name, true]);
  }
});

type Parts = readonly [PaymentState, PaymentState | null, PaymentState | null];

/** From every reachable combination of a collection and two shares, one step of one of them. */
function waysOfSplit(): readonly string[] {
  const seen = new Map<string, Parts>();
  const waiting: Parts[] = [['ACCEPTED', null, null]];
  const ways: string[] = [];
  for (let parts = waiting.pop(); parts !== undefined; parts = waiting.pop()) {
    if (seen.has(parts.join())) continue;
    seen.set(parts.join(), parts);
    const steps = stepsOf(parts);
    waiting.push(...steps);
    ways.push(...steps.map((step) => `${statusOf(parts)} ${statusOf(step)}`));
  }
  return ways.filter((way) => new Set(way.split(' ')).size === 2);
}

function stepsOf([collection, one, other]: Parts): readonly Parts[] {
  // Deposits never wait for their provider.
  const collected = following(collection).filter((to) => to !== 'ENQUEUED');
  return [
    ...collected.map((to): Parts => (to === 'COMPLETED' ? [to, 'ACCEPTED', 'ACCEPTED'] : [to, null, null])),
    ...(one === null ? [] : following(one).map((to): Parts => [collection, to, other])),
    ...(other === null ? [] : following(other).map((to): Parts => [collection, one, to])),
  ];
}

function statusOf([collection, ...shares]: Parts): string {
  return splitStatus(collection, shares);
}

test('a document shows every picture of docs/images', () => {
  const folder = new URL('../../../docs/images/', import.meta.url);
  const pictures = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.\w+$/.test(path),
  );
  const shown = readShownPictures();
  expect(pictures.filter((path) => !shown.has(path))).toEqual([]);
});
