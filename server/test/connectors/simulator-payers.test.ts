// Payers that a person plays: whose phone is held, and which one-time codes are good.
import { describe, expect, test } from 'vitest';
import { Codes } from '../../src/sandbox/fakes/payers/codes.ts';
import { Payers } from '../../src/sandbox/fakes/payers/payers.ts';
import type { TransactionRequest } from '../../src/sandbox/fakes/books/transaction-request.ts';

const MINUTE_MS = 60_000;

describe('a phone', () => {
  test('a phone is held for two minutes after a person looked, and not after it was put down', () => {
    let nowMs = 0;
    const payers = new Payers(() => nowMs);
    expect(payers.isHeld('226')).toBe(false);
    payers.pickUp('226');
    nowMs = 2 * MINUTE_MS - 1;
    expect([payers.isHeld('226'), payers.isHeld('250')]).toEqual([true, false]);
    nowMs += 1;
    expect(payers.isHeld('226')).toBe(false);
    payers.pickUp('226');
    payers.putDown('226');
    expect(payers.isHeld('226')).toBe(false);
  });
});

describe('a one-time code', () => {
  const madeAt = new Date('2026-03-01T10:00:00Z');
  const order = { phoneNumber: '22607345678', provider: 'ORANGE_BFA', amount: '250', currency: 'XOF' };
  const request = (changes: Partial<TransactionRequest>): TransactionRequest => ({
    ...order,
    reference: 'r',
    operation: 'DEPOSIT',
    country: 'BFA',
    message: '',
    notificationUrl: 'http://127.0.0.1/',
    ...changes,
  });
  const after = (minutes: number) => new Date(madeAt.getTime() + minutes * MINUTE_MS);

  test('of any kind is good for a number that never got one', () => {
    expect(new Codes().redeem(request({ oneTimeCode: 'any' }), madeAt)).toBe(true);
  });

  test.each([
    ['in time, for the same amount', {}, 14, true],
    ['for the same amount, written otherwise', { amount: '250.00' }, 1, true],
    ['too late', {}, 15, false],
    ['for another amount', { amount: '251' }, 1, false],
    ['of another number', { phoneNumber: '22607345679' }, 1, true],
  ])('%s', (_, changes, minutes, isGood) => {
    const codes = new Codes();
    const { code } = codes.make(order, madeAt);
    expect(codes.redeem(request({ oneTimeCode: code, ...changes }), after(minutes))).toBe(isGood);
  });

  test('a one-time code is good once, and no other will do', () => {
    const codes = new Codes();
    const { code } = codes.make(order, madeAt);
    expect(codes.redeem(request({ oneTimeCode: 'other' }), madeAt)).toBe(false);
    expect(codes.redeem(request({}), madeAt)).toBe(false);
    expect(codes.redeem(request({ oneTimeCode: code }), madeAt)).toBe(true);
    expect(codes.redeem(request({ oneTimeCode: code }), madeAt)).toBe(false);
  });
});
