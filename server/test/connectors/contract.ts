// What every connector must do, whoever the operator is. Run against each operator's double over real sockets.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connector, RawNotification, SubmitAnswer, SubmitOrder } from '../../src/connectors/port.ts';
import { eventually } from './receiver.ts';

/** What an operator's double can be made to do wrong with one reference, once. */
export type Trouble =
  | 'LOSE_ANSWER'
  | 'HANG'
  | 'ERROR_BEFORE_ACCEPTING'
  | 'ERROR_AFTER_ACCEPTING'
  | 'UNREADABLE_ANSWER'
  | 'UNKNOWN_CODE'
  | 'WRONG_AMOUNT';

export type OperatorDouble = {
  /** Its time-out is short: the suite waits for it. */
  readonly connector: Connector;
  /** An order the operator accepts and completes. Each has a reference of its own. */
  readonly order: (changes?: Partial<SubmitOrder>) => SubmitOrder;
  /** How many times the operator took the money. */
  readonly chargesOf: (reference: string) => number;
  readonly makeTrouble: (trouble: Trouble, at: { step: 'submit' | 'query'; reference: string }) => void;
  readonly failBalance: () => void;
  /** Lets the operator refuse, from now on, every token it has given out. */
  readonly expireTokens: () => void;
  /** Holds the next token request; answers how to let it go, once it is being held. */
  readonly holdToken: () => { readonly isHeld: () => boolean; readonly release: () => void };
  /** The notifications the operator has posted. */
  readonly notifications: (count: number) => Promise<readonly RawNotification[]>;
  /** The operator is gone: nothing listens at its address. */
  readonly goAway: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const OPEN = { isOpen: () => true };

export function describeConnector(name: string, startDouble: () => Promise<OperatorDouble>): void {
  describe(`the ${name} connector`, () => {
    let double: OperatorDouble;
    let connector: Connector;
    beforeEach(async () => {
      double = await startDouble();
      connector = double.connector;
    });
    afterEach(() => double.stop());

    const submit = (order: SubmitOrder) => connector.submit(order, OPEN);
    const query = async (order: SubmitOrder): Promise<SubmitAnswer> => {
      const answer = await connector.query!({ ...order, attemptNo: 1, claimedAt: new Date() });
      if (answer.outcome === 'ENQUIRY_REQUESTED')
        throw new Error('This suite reads answers, not notifications.');
      return answer;
    };

    const notificationOf = async (order: SubmitOrder) => {
      await submit(order);
      const [notification] = await double.notifications(1);
      return notification!;
    };
    const balance = ({ provider, country, currency }: SubmitOrder) =>
      connector.balance!({ provider, country, currency, operation: 'PAYOUT' });

    describe('submit and query', () => {
      it('a submitted order is charged once and an enquiry tells what was moved', async () => {
        const order = double.order();
        const submitted = await submit(order);
        expect(['PENDING', 'COMPLETED']).toContain(submitted.outcome.type);
        const { amount, currency, phoneNumber } = order;
        expect((await query(order)).outcome).toMatchObject({
          type: 'COMPLETED',
          moved: { amount, currency, phoneNumber },
        });
        expect(double.chargesOf(order.reference)).toBe(1);
      });

      it('a reference the operator never saw is NOT_SEEN', async () => {
        expect((await query(double.order())).outcome).toEqual({ type: 'NOT_SEEN' });
      });

      it('a repeated reference is answered PENDING and never charged twice', async ({ skip }) => {
        skip(connector.repeatedSubmit === 'CHARGES_AGAIN', 'this operator does not recognise repeats');
        const order = double.order();
        await submit(order);
        expect((await submit(order)).outcome).toEqual({ type: 'PENDING' });
        expect(double.chargesOf(order.reference)).toBe(1);
      });

      it('ten simultaneous submits of one reference are charged once', async ({ skip }) => {
        skip(connector.repeatedSubmit === 'CHARGES_AGAIN', 'this operator does not recognise repeats');
        const order = double.order();
        const answers = await Promise.all(Array.from({ length: 10 }, () => submit(order)));
        expect(answers.map((answer) => answer.outcome.type)).not.toContain('FAILED');
        expect(double.chargesOf(order.reference)).toBe(1);
      });

      it('every operation the connector supports is carried out', async () => {
        for (const operation of ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] as const) {
          const order = double.order({ operation });
          if (!connector.supports(operation, order.provider)) continue;
          if (operation === 'REFUND') {
            const original = { ...double.order(), attemptNo: 1, claimedAt: new Date() };
            await connector.refund!.submit({ ...order, original }, OPEN);
          } else await submit(order);
          expect((await query(order)).outcome.type, operation).toBe('COMPLETED');
        }
      });

      it('a success with another amount says what was moved, so that the gateway can see the difference', async () => {
        const order = double.order();
        double.makeTrouble('WRONG_AMOUNT', { step: 'submit', reference: order.reference });
        await submit(order);
        const { outcome } = await query(order);
        if (outcome.type !== 'COMPLETED') throw new Error(outcome.type);
        expect(outcome.moved?.amount).not.toBe(order.amount);
        expect(outcome.moved?.amount).toBeDefined();
      });
    });

    describe('what is not known is UNKNOWN, and nothing throws', () => {
      const cases = [
        { trouble: 'LOSE_ANSWER', reason: 'NO_ANSWER', charges: 1 },
        { trouble: 'HANG', reason: 'NO_ANSWER', charges: 0 },
        { trouble: 'ERROR_BEFORE_ACCEPTING', reason: 'OPERATOR_ERROR', charges: 0 },
        { trouble: 'ERROR_AFTER_ACCEPTING', reason: 'OPERATOR_ERROR', charges: 1 },
        { trouble: 'UNREADABLE_ANSWER', reason: 'UNREADABLE_ANSWER', charges: 1 },
      ] as const;

      it.each(cases)(
        'a submit that meets $trouble is UNKNOWN: $reason',
        async ({ trouble, reason, charges }) => {
          const order = double.order();
          double.makeTrouble(trouble, { step: 'submit', reference: order.reference });
          const answer = await submit(order);
          expect(answer.outcome).toEqual({ type: 'UNKNOWN', reason });
          expect(() => JSON.parse(answer.evidence)).not.toThrow();
          expect((await query(order)).outcome.type).toBe(charges === 1 ? 'COMPLETED' : 'NOT_SEEN');
          expect(double.chargesOf(order.reference)).toBe(charges);
        },
      );

      it.each(cases)('an enquiry that meets $trouble is UNKNOWN: $reason', async ({ trouble, reason }) => {
        const order = double.order();
        await submit(order);
        double.makeTrouble(trouble, { step: 'query', reference: order.reference });
        expect((await query(order)).outcome).toEqual({ type: 'UNKNOWN', reason });
        expect((await query(order)).outcome.type).toBe('COMPLETED');
      });

      it('a failure code nobody has mapped is UNKNOWN, never FAILED', async () => {
        const order = double.order();
        double.makeTrouble('UNKNOWN_CODE', { step: 'submit', reference: order.reference });
        await submit(order);
        expect((await query(order)).outcome).toEqual({ type: 'UNKNOWN', reason: 'UNMAPPED_CODE' });
      });

      it('an operator that is away leaves a submit NOT_SENT and an enquiry without answer', async () => {
        await double.goAway();
        const order = double.order();
        expect((await submit(order)).outcome).toEqual({ type: 'UNKNOWN', reason: 'NOT_SENT' });
        expect((await query(order)).outcome).toEqual({ type: 'UNKNOWN', reason: 'NO_ANSWER' });
      });
    });

    describe('tokens and permission', () => {
      it('a token that expires in mid-flight is renewed and the order charged once', async () => {
        await submit(double.order());
        double.expireTokens();
        const order = double.order();
        expect(['PENDING', 'COMPLETED']).toContain((await submit(order)).outcome.type);
        expect(double.chargesOf(order.reference)).toBe(1);
        double.expireTokens();
        expect((await query(order)).outcome.type).toBe('COMPLETED');
      });

      it('without permission nothing is sent', async () => {
        const order = double.order();
        const answer = await connector.submit(order, { isOpen: () => false });
        expect(answer.outcome).toEqual({ type: 'UNKNOWN', reason: 'NOT_SENT' });
        expect((await query(order)).outcome).toEqual({ type: 'NOT_SEEN' });
      });

      it('permission that ends while the token is fetched stops the order', async () => {
        const order = double.order();
        let isOpen = true;
        const token = double.holdToken();
        const answer = connector.submit(order, { isOpen: () => isOpen });
        await eventually(token.isHeld).toBe(true);
        isOpen = false;
        token.release();
        expect((await answer).outcome).toEqual({ type: 'UNKNOWN', reason: 'NOT_SENT' });
        expect(double.chargesOf(order.reference)).toBe(0);
        expect((await query(order)).outcome).toEqual({ type: 'NOT_SEEN' });
      });
    });

    describe('notifications', () => {
      beforeEach(({ skip }) => skip(connector.notifications === undefined, 'this operator sends none'));

      it('a genuine notification is AUTHENTIC and tells the outcome', async () => {
        const order = double.order();
        const reading = connector.notifications!.read(await notificationOf(order));
        expect(reading).toMatchObject({
          type: 'AUTHENTIC',
          reference: order.reference,
          outcome: { type: 'COMPLETED', moved: { amount: order.amount } },
        });
      });

      it('a notification changed by one character is only a hint', async () => {
        const order = double.order();
        const notification = await notificationOf(order);
        const body = Buffer.from(`${notification.body.toString()} `);
        const reading = connector.notifications!.read({ ...notification, body });
        expect(reading).toEqual({ type: 'HINT', reference: order.reference });
      });

      it('a notification without its signature is only a hint', async () => {
        const order = double.order();
        const notification = await notificationOf(order);
        const reading = connector.notifications!.read({ ...notification, headers: {} });
        expect(reading).toEqual({ type: 'HINT', reference: order.reference });
      });

      it.each(['', 'null', '[]', '"text"', '{}', '{"reference":7}', '<html>'])(
        'the body %j is UNREADABLE',
        async (text) => {
          const notification = await notificationOf(double.order());
          const reading = connector.notifications!.read({ ...notification, body: Buffer.from(text) });
          expect(reading).toEqual({ type: 'UNREADABLE' });
        },
      );
    });

    describe('balance', () => {
      beforeEach(({ skip }) => skip(connector.balance === undefined, 'this operator does not tell it'));

      it('a deposit raises the balance and a larger payout brings it below', async () => {
        const order = double.order({ amount: 1_255_000n });
        const before = await balance(order);
        if (before.type !== 'BALANCE') throw new Error(before.type);
        await submit(order);
        expect(await balance(order)).toEqual({ type: 'BALANCE', amount: before.amount + 1_255_000n });
        await submit(double.order({ operation: 'PAYOUT', amount: 3_000_000n }));
        expect(await balance(order)).toEqual({ type: 'BALANCE', amount: before.amount - 1_745_000n });
      });

      it('an error leaves the balance UNKNOWN', async () => {
        double.failBalance();
        expect(await balance(double.order())).toEqual({ type: 'UNKNOWN' });
      });
    });
  });
}
