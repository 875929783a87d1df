// What every connector must do, anyone who the operator is. Run against each operator's fake over real sockets.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  factsOf,
  type BalanceAnswer,
  type Connector,
  type NotificationReading,
  type QueryAnswer,
  type RawNotification,
  type StoredAttempt,
  type SubmitAnswer,
  type SubmitRequest,
} from '../../src/connectors/port.ts';
import type { Fault } from '../../src/sandbox/fakes/faults/fault.ts';
import { holderOf } from '../../src/sandbox/fakes/payers/holders.ts';
import { findProvider } from '../../src/domain/operators/catalogue.ts';
import type { Outcome } from '../../src/domain/payments/outcome.ts';
import { PAYMENT_KINDS, type PaymentKind } from '../../src/domain/payments/payment.ts';
import { openTestStore, type TestStore } from '../store/open-store.ts';
import { numberWithoutAccount } from './phone-number.ts';
import { eventually } from './receiver.ts';
import {
  DEFINITE_FAILURES,
  NO_ACCOUNT_RECORDED,
  openStage,
  tellsUnseen,
  type Stage,
  type Trial,
} from './stage.ts';

const OPEN = { isOpen: () => true };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export function describeConnector(trial: Trial): void {
  describe(`the ${trial.title} connector`, () => {
    let store: TestStore;
    let stage: Stage;
    let connector: Connector;
    beforeAll(async () => {
      store = await openTestStore();
    });
    beforeEach(async () => {
      stage = await openStage(trial, store);
      connector = stage.connector;
    });
    afterEach(() => stage.stop());
    afterAll(() => store.stop());

    const chargesOf = ({ reference }: SubmitRequest) =>
      stage.fake.books().charges.filter((charge) => charge.reference.replace(/ \(\d+\)$/, '') === reference)
        .length;
    const submit = (order: SubmitRequest, permission = OPEN) => connector.submit(order, permission);
    const query = (order: SubmitRequest, answer?: SubmitAnswer): Promise<QueryAnswer> =>
      connector.query!(attemptOf(order, answer));
    const read = (raw: RawNotification) =>
      Promise.resolve(connector.notifications!.read(raw, NO_ACCOUNT_RECORDED));

    /** The messages about an order so far, as the connector reads them. */
    const readingsOf = async (order: SubmitRequest) => {
      const readings = await Promise.all(stage.receiver.received.map(read));
      return readings.filter((reading) => isAbout(reading, order));
    };
    const waitForReadings = async (order: SubmitRequest, count: number) => {
      await eventually(async () => (await readingsOf(order)).length).toBeGreaterThanOrEqual(count);
      return readingsOf(order);
    };

    /** Whether the operator can be asked about an order after this answer to its submit. */
    const isAskable = (order: SubmitRequest, answer: SubmitAnswer) =>
      connector.query !== undefined &&
      (factsOf(connector, order.operation).reference.chosenBy === 'OURS' ||
        answer.providerReference !== undefined);

    /** What the operator says of an order: to an enquiry where it can be asked, else by its notification. */
    const tell = async (order: SubmitRequest, answer: SubmitAnswer): Promise<Outcome> => {
      const known = (await readingsOf(order)).length;
      const said = isAskable(order, answer) ? await query(order, answer) : null;
      if (said !== null && said.outcome !== 'ENQUIRY_REQUESTED') return said.outcome;
      await waitForReadings(order, said === null ? 1 : known + 1);
      await eventually(async () => (await readingsOf(order)).some(isAuthentic)).toBe(true);
      const last = (await readingsOf(order)).findLast((reading) => reading.type === 'AUTHENTIC');
      if (last === undefined) throw new Error('no authentic message tells the outcome of the order');
      return last.outcome;
    };
    /** Whether the operator tells of an order at all: where its reference was lost, only a signed message does. */
    const isTold = (order: SubmitRequest, answer: SubmitAnswer) =>
      isAskable(order, answer) || connector.notifications?.authenticity === 'SIGNED';
    const play = (fault: Fault) => stage.fake.addFault(fault);
    const expectUnseen = (outcome: Outcome, order: SubmitRequest) =>
      expect(tellsUnseen(connector, order) ? ['NOT_SEEN'] : ['PENDING', 'UNKNOWN']).toContain(outcome.type);

    /** A kind of payment with which submits are tried that need no payer: what this operator can do first. */
    const supported = () => {
      const { provider } = stage.order();
      return PAYMENT_KINDS.filter((kind) => connector.supports(kind, provider) && kind !== 'REFUND');
    };
    /** Who reverses by receipt needs it; where a message tells it, the operator is asked what it stands for. */
    const receiptOf = async (order: SubmitRequest, answer: SubmitAnswer) => {
      if (connector.refund?.mode !== 'REVERSAL') return undefined;
      const told = (await waitForReadings(order, 1)).find((one) => 'reportedReceipt' in one);
      if (told?.type !== 'HINT' || told.reportedReceipt === undefined) return undefined;
      await connector.query!({ ...attemptOf(order, answer), reportedReceipt: told.reportedReceipt });
      await eventually(async () => (await readingsOf(order)).some(isProof)).toBe(true);
      const proof = (await readingsOf(order)).find((one) => one.type === 'RECEIPT');
      return proof?.outcome.type === 'COMPLETED' ? proof.outcome.providerTransactionId : undefined;
    };
    const completed = async (order: SubmitRequest): Promise<StoredAttempt> => {
      const answer = await submit(order);
      const outcome = answer.outcome.type === 'COMPLETED' ? answer.outcome : await tell(order, answer);
      if (outcome.type !== 'COMPLETED') throw new Error(`the order ended ${outcome.type}`);
      const { providerTransactionId = await receiptOf(order, answer) } = outcome;
      return {
        ...attemptOf(order, answer),
        ...(providerTransactionId === undefined ? {} : { providerTransactionId }),
      };
    };

    const isRefunding = () => connector.supports('REFUND', stage.order().provider);
    /** What the balance is asked for: the money payouts are paid from. */
    const kindOf = (): PaymentKind => (supported().includes('PAYOUT') ? 'PAYOUT' : 'DEPOSIT');

    /** What a genuine message is read as. */
    const expectGenuine = (reading: NotificationReading | undefined, order: SubmitRequest) => {
      const { reference } = order;
      if (connector.notifications!.authenticity !== 'SIGNED')
        expect(reading).toMatchObject({ type: 'HINT', reference });
      else expect(reading).toMatchObject({ type: 'AUTHENTIC', reference, outcome: { type: 'COMPLETED' } });
    };

    const askBalance = async (): Promise<BalanceAnswer> => {
      const order = stage.order({ operation: kindOf() });
      const { provider, country, currency, operation, reference } = order;
      const account = { provider, country, currency, operation, reference };
      const answer = await connector.balance!(account);
      if (answer.type !== 'REQUESTED') return answer;
      const reading = (await waitForReadings(order, 1)).find(({ type }) => type === 'BALANCE');
      return reading?.type === 'BALANCE' ? { type: 'BALANCE', amount: reading.amount } : { type: 'UNKNOWN' };
    };

    const askHolder = (phoneNumber = stage.order().phoneNumber) =>
      connector.holder!({ ...stage.order({ operation: 'PAYOUT' }), phoneNumber });

    describe('submit and query', () => {
      it('an order of every kind it supports is charged once, and the operator tells what was moved', async () => {
        expect(supported()).not.toEqual([]);
        for (const operation of supported()) {
          const order = stage.order({ operation });
          const submitted = await submit(order);
          expect(['PENDING', 'COMPLETED'], operation).toContain(submitted.outcome.type);
          const outcome = await tell(order, submitted);
          expect(outcome.type, operation).toBe('COMPLETED');
          const { amount = order.amount, currency = order.currency } =
            outcome.type === 'COMPLETED' ? (outcome.moved ?? {}) : {};
          expect({ amount, currency }).toEqual({ amount: order.amount, currency: order.currency });
          expect(chargesOf(order), operation).toBe(1);
        }
      });

      it('a reference the operator never saw is NOT_SEEN where it has a word for that, else not known', async ({
        skip,
      }) => {
        const order = stage.order();
        const nothing: SubmitAnswer = { outcome: { type: 'PENDING' }, evidence: '' };
        skip(!isAskable(order, nothing), 'it cannot be asked by ours');
        expectUnseen(await tell(order, nothing), order);
      });

      it('a repeated reference is never charged twice where the connector says so', async () => {
        for (const operation of supported()) {
          if (factsOf(connector, operation).repeatedSubmit === 'CHARGES_AGAIN') continue;
          const order = stage.order({ operation });
          await submit(order);
          const again = await submit(order);
          expect(['PENDING', 'COMPLETED'], operation).toContain(again.outcome.type);
          const answers = await Promise.all(Array.from({ length: 8 }, () => submit(order)));
          expect(answers.map(({ outcome }) => outcome.type)).not.toContain('FAILED');
          expect(chargesOf(order), operation).toBe(1);
        }
      });

      it('an operation that charges again on a repeat says so', async ({ skip }) => {
        const charging = supported().filter(
          (kind) => factsOf(connector, kind).repeatedSubmit === 'CHARGES_AGAIN',
        );
        skip(charging.length === 0, 'it recognises every repeat');
        for (const operation of charging) {
          const order = stage.order({ operation });
          await submit(order);
          await submit(order);
          expect(chargesOf(order), operation).toBe(2);
        }
      });

      it('a payer who must be redirected is told where to', async ({ skip }) => {
        const { provider } = stage.order();
        skip(findProvider(provider)!.authType !== 'REDIRECT_AUTH', 'its payers are asked on their phones');
        const { outcome } = await submit(stage.order());
        expect(outcome).toMatchObject({
          type: 'PENDING',
          authorizationUrl: expect.stringMatching(/^https?:/),
        });
      });

      it('a success with another amount says so wherever the operator tells amounts', async () => {
        const order = stage.order();
        play({ type: 'WRONG_AMOUNT', amount: '7777' });
        const answer = await submit(order);
        const said = isAskable(order, answer) ? await query(order, answer) : null;
        const told: { readonly outcome: Outcome; readonly text: string }[] = [];
        if (said !== null && said.outcome !== 'ENQUIRY_REQUESTED')
          told.push({ outcome: said.outcome, text: said.evidence });
        else await tell(order, answer);
        for (const raw of stage.receiver.received) {
          const reading = await read(raw);
          if (reading.type === 'AUTHENTIC')
            told.push({ outcome: reading.outcome, text: raw.body.toString() });
        }
        expect(told.length).toBeGreaterThan(0);
        for (const { outcome, text } of told) {
          if (outcome.type !== 'COMPLETED') throw new Error(outcome.type);
          expect(outcome.moved?.amount).toBe(/\b7777\b/.test(text) ? 77_770_000n : undefined);
        }
      });
    });

    describe('what is not known is UNKNOWN, and nothing throws', () => {
      const troubles = [
        { trouble: 'the answer is lost', fault: { type: 'LOSE_ANSWER' }, reason: 'NO_ANSWER', charges: 1 },
        { trouble: 'no answer comes', fault: { type: 'HANG' }, reason: 'NO_ANSWER', charges: 0 },
        {
          trouble: 'an error comes first',
          fault: { type: 'ERROR', httpStatus: 500, when: 'BEFORE' },
          reason: 'OPERATOR_ERROR',
          charges: 0,
        },
        {
          trouble: 'an error comes afterwards',
          fault: { type: 'ERROR', httpStatus: 502, when: 'AFTER' },
          reason: 'OPERATOR_ERROR',
          charges: 1,
        },
        {
          trouble: 'the answer is HTML',
          fault: { type: 'UNREADABLE_ANSWER' },
          reason: 'UNREADABLE_ANSWER',
          charges: 1,
        },
        {
          trouble: 'there were too many requests',
          fault: { type: 'ERROR', httpStatus: 429, when: 'BEFORE' },
          reason: 'OPERATOR_ERROR',
          charges: 0,
        },
      ] as const;

      it.each(troubles)('of a submit: $trouble', async ({ fault, reason, charges }) => {
        const order = stage.order();
        play({ ...fault, step: 'submit' });
        const answer = await submit(order);
        expect(answer.outcome).toEqual({ type: 'UNKNOWN', reason });
        expect(() => JSON.parse(answer.evidence)).not.toThrow();
        expect(chargesOf(order)).toBe(charges);
        await holdOff(fault);
        if (charges === 1 && !isTold(order, answer)) {
          expect((await waitForReadings(order, 1)).map(({ type }) => type)).toEqual(['HINT']);
        } else if (charges === 1) expect((await tell(order, answer)).type).toBe('COMPLETED');
        else if (isAskable(order, answer)) expectUnseen(await tell(order, answer), order);
      });

      it.each(troubles)('of an enquiry: $trouble', async ({ fault, reason }) => {
        const order = stage.order();
        const answer = await submit(order);
        if (!isAskable(order, answer)) return;
        play({ ...fault, step: 'query' });
        expect((await query(order, answer)).outcome).toEqual({ type: 'UNKNOWN', reason });
        await holdOff(fault);
        expect((await tell(order, answer)).type).toBe('COMPLETED');
      });

      it('a failure code no one has mapped is UNKNOWN, unless a definite status stands beside it', async () => {
        const expected = DEFINITE_FAILURES.has(trial.name)
          ? { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' }
          : { type: 'UNKNOWN', reason: 'UNMAPPED_CODE' };
        for (const operation of supported()) {
          const order = stage.order({ operation });
          play({ type: 'UNKNOWN_CODE' });
          expect(await tell(order, await submit(order)), operation).toEqual(expected);
        }
      });

      it('an operator that is out of reach leaves a submit NOT_SENT and an enquiry without answer', async () => {
        await stage.fake.stop();
        const order = stage.order();
        const answer = await submit(order);
        expect(answer.outcome).toEqual({ type: 'UNKNOWN', reason: 'NOT_SENT' });
        if (connector.query === undefined) return;
        const { outcome } = await query(order, { ...answer, providerReference: 'any' });
        expect(outcome).toEqual({ type: 'UNKNOWN', reason: 'NO_ANSWER' });
      });
    });

    describe('tokens and permission', () => {
      it('a token that ends in mid-flight is renewed and the order charged once', async () => {
        await submit(stage.order());
        stage.advance(DAY_MS);
        const order = stage.order();
        const answer = await submit(order);
        expect(['PENDING', 'COMPLETED']).toContain(answer.outcome.type);
        expect(chargesOf(order)).toBe(1);
        stage.advance(DAY_MS);
        expect((await tell(order, answer)).type).toBe('COMPLETED');
      });

      it('A2: an order whose token is refused and not renewed is unknown: its bytes were written', async ({
        skip,
      }) => {
        await submit(stage.order());
        stage.advance(DAY_MS);
        play({ type: 'ERROR', httpStatus: 500, step: 'token', when: 'BEFORE' });
        const { outcome } = await submit(stage.order());
        skip(outcome.type !== 'UNKNOWN', 'its calls carry no token');
        expect(outcome).toEqual({ type: 'UNKNOWN', reason: 'NO_ANSWER' });
      });

      it('many calls at once ask for one token', async ({ skip }) => {
        const { traffic } = stage;
        skip(traffic === null, 'nothing is recorded');
        await Promise.all(Array.from({ length: 10 }, () => submit(stage.order())));
        const countTokens = async () => (await traffic!()).filter(({ step }) => step === 'token').length;
        await eventually(async () => (await traffic!()).filter(({ step }) => step === 'submit').length).toBe(
          10,
        );
        expect(await countTokens()).toBeLessThanOrEqual(1);
      });

      it('without permission nothing is sent', async () => {
        const order = stage.order();
        const answer = await submit(order, { isOpen: () => false });
        expect(answer.outcome).toEqual({ type: 'UNKNOWN', reason: 'NOT_SENT' });
        expect(chargesOf(order)).toBe(0);
      });

      it('permission that ends while the token is fetched stops the order', async ({ skip }) => {
        const order = stage.order();
        let isOpen = true;
        play({ type: 'HANG', step: 'token' });
        const answer = submit(order, { isOpen: () => isOpen });
        const isHeld = await waitBriefly(() => stage.fake.hanging().length === 1);
        isOpen = false;
        stage.fake.release();
        const { outcome } = await answer;
        skip(!isHeld, 'its calls carry no token');
        expect(outcome).toEqual({ type: 'UNKNOWN', reason: 'NOT_SENT' });
        expect(chargesOf(order)).toBe(0);
      });
    });

    describe('notifications', () => {
      beforeEach(({ skip }) => skip(connector.notifications === undefined, 'this operator sends none'));

      it('a genuine one is read for what it is', async () => {
        const order = stage.order();
        await submit(order);
        expectGenuine((await waitForReadings(order, 1))[0], order);
      });

      it('one that comes twice is read alike', async () => {
        const order = stage.order();
        play({ type: 'DOUBLE_NOTIFICATION' });
        await submit(order);
        const [first, second] = await waitForReadings(order, 2);
        expectGenuine(first, order);
        expect(second).toEqual(first);
      });

      it('one that comes a day late is read alike', async () => {
        const order = stage.order();
        play({ type: 'LATE_NOTIFICATION', delayMs: DAY_MS });
        await submit(order);
        expect(await readingsOf(order)).toEqual([]);
        stage.advance(DAY_MS);
        stage.fake.books();
        expectGenuine((await waitForReadings(order, 1))[0], order);
      });

      it('where none comes an enquiry tells the same', async () => {
        const order = stage.order();
        play({ type: 'NO_NOTIFICATION' });
        const answer = await submit(order);
        if (!isAskable(order, answer)) return;
        expect((await tell(order, answer)).type).toBe('COMPLETED');
      });

      it('a forged one moves nothing, whatever it claims', async () => {
        const order = stage.order();
        play({ type: 'OUTCOME', status: 'PENDING' });
        play({ type: 'FORGED_NOTIFICATION' });
        const answer = await submit(order);
        await eventually(() => stage.receiver.received.length).toBe(1);
        const reading = await read(stage.receiver.received[0]!);
        expect(['HINT', 'UNREADABLE']).toContain(reading.type);
        if (isAskable(order, answer)) {
          const { outcome } = await query(order, answer);
          expect(outcome === 'ENQUIRY_REQUESTED' || outcome.type === 'PENDING').toBe(true);
        }
      });

      it('a genuine one that is changed, or sent by another way, moves nothing', async () => {
        const order = stage.order();
        await submit(order);
        await waitForReadings(order, 1);
        const genuine = stage.receiver.received[0]!;
        const { authenticity } = connector.notifications!;
        const signed = [
          { ...genuine, body: Buffer.from(genuine.body.toString().replace(/.$/, ' $&')) },
          { ...genuine, headers: {} },
        ];
        const elsewhere = [{ ...genuine, pathSecretIsGenuine: false }];
        for (const changed of authenticity === 'SIGNED' ? signed : elsewhere) {
          expect((await read(changed)).type).not.toBe('AUTHENTIC');
        }
      });

      it.each(['', 'null', '[]', '"text"', '{}', '{"reference":7}', '<html>'])(
        'the body %j is never authentic, and nothing throws',
        async (text) => {
          const order = stage.order();
          await submit(order);
          await waitForReadings(order, 1);
          const reading = await read({ ...stage.receiver.received[0]!, body: Buffer.from(text) });
          expect(['HINT', 'UNREADABLE']).toContain(reading.type);
        },
      );

      it('it is acknowledged in words that are JSON', async () => {
        const order = stage.order();
        await submit(order);
        await waitForReadings(order, 1);
        const answer = connector.notifications!.acknowledge?.(stage.receiver.received[0]!) ?? {};
        expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
      });
    });

    describe('A1: after the credentials were replaced by those of another account', () => {
      beforeEach(({ skip }) => skip(stage.accounts === null, 'it has one account'));

      it('an attempt is asked about with the account it was made with', async () => {
        const sent: { readonly order: SubmitRequest; readonly answer: SubmitAnswer }[] = [];
        for (const operation of supported()) {
          const order = await sentOrder(stage, operation);
          play({ type: 'NO_NOTIFICATION' });
          sent.push({ order, answer: await submit(order) });
        }
        const other = await stage.accounts!.replace();
        for (const { order, answer } of sent) {
          if (isAskable(order, answer))
            expect((await tell(order, answer)).type, order.operation).toBe('COMPLETED');
          expect(chargesAt(other, order), order.operation).toBe(0);
        }
      });

      it('a repeat goes to the account of the attempt, and a new payment to the other one', async () => {
        for (const operation of supported()) {
          const order = await sentOrder(stage, operation);
          await submit(order);
          const other = await stage.accounts!.replace();
          if (factsOf(connector, operation).repeatedSubmit === 'HARMLESS') await submit(order);
          expect(chargesOf(order), operation).toBe(1);
          const next = await sentOrder(stage, operation);
          expect(next.account).not.toBe(order.account);
          await submit(next);
          expect([chargesOf(next), chargesAt(other, next), chargesAt(other, order)]).toEqual([0, 1, 0]);
          await stage.stop();
          stage = await openStage(trial, store);
          connector = stage.connector;
        }
      });

      it('a message is checked with the account of its attempt', async ({ skip }) => {
        skip(connector.notifications === undefined, 'this operator sends none');
        const order = await sentOrder(stage, 'DEPOSIT');
        await submit(order);
        await waitForReadings(order, 1);
        await stage.accounts!.replace();
        const other = await stage.accounts!.idOf('DEPOSIT');
        const genuine = stage.receiver.received[0]!;
        const readAs = async (account: string | undefined) =>
          connector.notifications!.read(genuine, async (one) =>
            one === order.reference ? account : undefined,
          );
        expectGenuine(await readAs(order.account), order);
        if (connector.notifications!.authenticity === 'SIGNED') {
          expect((await readAs(other)).type).not.toBe('AUTHENTIC');
        }
      });

      it('a refund is sent with the account that it names, and to no other', async ({ skip }) => {
        skip(!isRefunding(), 'it makes none');
        const original = await completed(await sentOrder(stage, 'DEPOSIT'));
        const order = await sentOrder(stage, 'REFUND');
        const other = await stage.accounts!.replace();
        const answer = await connector.refund!.submit({ ...order, original }, OPEN);
        expect(['PENDING', 'COMPLETED']).toContain(answer.outcome.type);
        expect([chargesOf(order), chargesAt(other, order)]).toEqual([1, 0]);
      });

      it('nothing is sent with an account that is not known, and no answer comes', async () => {
        const order = stage.order({ account: 'retired' });
        expect((await submit(order)).outcome).toEqual({ type: 'UNKNOWN', reason: 'NOT_SENT' });
        expect(chargesOf(order)).toBe(0);
        const { outcome } = await query(order, {
          outcome: { type: 'PENDING' },
          evidence: '',
          providerReference: 'any',
        });
        expect(outcome).toEqual({ type: 'UNKNOWN', reason: 'NO_ANSWER' });
      });
    });

    describe('refunds', () => {
      it('are offered if and only if the connector has a way to make them', () => {
        expect(isRefunding()).toBe(connector.refund !== undefined);
      });

      it('give a completed deposit back once', async ({ skip }) => {
        skip(!isRefunding(), 'it makes none');
        const original = await completed(stage.order());
        const order = stage.order({ operation: 'REFUND' });
        const answer = await connector.refund!.submit({ ...order, original }, OPEN);
        expect(['PENDING', 'COMPLETED']).toContain(answer.outcome.type);
        // Anyone who gives back at once need not be able to tell it again.
        const outcome = answer.outcome.type === 'COMPLETED' ? answer.outcome : await tell(order, answer);
        expect(outcome.type).toBe('COMPLETED');
        expect(chargesOf(order)).toBe(1);
      });

      it('give a part back where the connector says so', async ({ skip }) => {
        skip(!isRefunding() || connector.refund!.mode === 'NATIVE_FULL', 'it makes none, or only whole ones');
        const original = await completed(stage.order());
        const order = stage.order({ operation: 'REFUND', amount: 500_000n });
        const answer = await connector.refund!.submit({ ...order, original }, OPEN);
        expect((await tell(order, answer)).type).toBe('COMPLETED');
        const charge = stage.fake.books().charges.find(({ reference }) => reference === order.reference);
        expect(charge?.amount).toBe('50');
      });

      it('whose answer is lost are UNKNOWN', async ({ skip }) => {
        skip(!isRefunding(), 'it makes none');
        const original = await completed(stage.order());
        play({ type: 'LOSE_ANSWER' });
        const order = stage.order({ operation: 'REFUND' });
        const answer = await connector.refund!.submit({ ...order, original }, OPEN);
        expect(answer.outcome).toEqual({ type: 'UNKNOWN', reason: 'NO_ANSWER' });
        expect(chargesOf(order)).toBe(1);
      });
    });

    describe('balance', () => {
      beforeEach(({ skip }) => skip(connector.balance === undefined, 'this operator does not tell it'));

      it('follows what was moved', async () => {
        const before = await askBalance();
        if (before.type !== 'BALANCE') throw new Error(before.type);
        await completed(stage.order({ operation: kindOf() }));
        const change = kindOf() === 'DEPOSIT' ? 1_500_000n : -1_500_000n;
        expect(await askBalance()).toEqual({ type: 'BALANCE', amount: before.amount + change });
      });

      it('is UNKNOWN when the operator answers with an error', async () => {
        play({ type: 'ERROR', httpStatus: 503, step: 'balance' });
        expect(await askBalance()).toEqual({ type: 'UNKNOWN' });
      });
    });

    describe('account holders', () => {
      beforeEach(({ skip }) => skip(connector.holder === undefined, 'this operator is not asked about them'));

      const NOT_KNOWN = { status: 'UNKNOWN', name: null };

      it('a number with an account is ACTIVE and has a name, one without is NOT_ACTIVE', async () => {
        const { provider, phoneNumber } = stage.order();
        const { givenName, familyName } = holderOf({ provider, phoneNumber })!;
        expect(await askHolder()).toEqual({ status: 'ACTIVE', name: `${givenName} ${familyName}` });
        expect(await askHolder(numberWithoutAccount(provider))).toEqual({ status: 'NOT_ACTIVE', name: null });
      });

      it.each([
        { type: 'ERROR', httpStatus: 500 },
        { type: 'ERROR', httpStatus: 404 },
        { type: 'UNREADABLE_ANSWER' },
        { type: 'LOSE_ANSWER' },
        { type: 'HANG' },
      ] as const)('a holder is not known after %j, and nothing throws', async (fault) => {
        play({ ...fault, step: 'holder' });
        expect(await askHolder()).toEqual(NOT_KNOWN);
      });

      it('a holder is not known when the operator is out of reach', async () => {
        await stage.fake.stop();
        expect(await askHolder()).toEqual(NOT_KNOWN);
      });

      it('too many questions pause the questions, and not the payments', async ({ skip }) => {
        skip(stage.accounts === null, 'it has no rate budget');
        play({ type: 'ERROR', httpStatus: 429, step: 'holder' });
        expect(await askHolder()).toEqual(NOT_KNOWN);
        const { rows } = await store.database.query<{ account: string }>(
          'select account from operator_rates order by taken_until desc limit 1',
        );
        expect(rows[0]?.account).toMatch(/ holders$/);
      });
    });

    it('what is recorded holds neither keys nor tokens nor the payer', async ({ skip }) => {
      const { traffic } = stage;
      skip(traffic === null, 'nothing is recorded');
      for (const operation of supported()) await completed(stage.order({ operation }));
      await connector.balance?.({ ...stage.order() });
      await connector.holder?.({ ...stage.order() });
      const { phoneNumber, customerMessage, preAuthorisationCode = phoneNumber } = stage.order();
      const steps = connector.holder === undefined ? ['submit'] : ['submit', 'holder'];
      for (const step of steps)
        await eventually(async () => (await traffic!()).map((one) => one.step)).toContain(step);
      const written = JSON.stringify(await traffic!());
      const hidden = [
        phoneNumber,
        phoneNumber.slice(3),
        customerMessage,
        preAuthorisationCode,
        ...Object.values(holderOf(stage.order())!),
        ...stage.secrets,
      ];
      expect(hidden.filter((value) => written.includes(value))).toEqual([]);
      expect(stage.secrets.length).toBeGreaterThan(0);
    });
  });
}

const chargesAt = (operator: Stage['fake'], { reference }: SubmitRequest) =>
  operator.books().charges.filter((charge) => charge.reference.startsWith(reference)).length;

/** An order of an attempt that was claimed with the account of now. */
const sentOrder = async ({ order, accounts }: Stage, operation: PaymentKind) =>
  order({ operation, account: await accounts!.idOf(operation) });

const attemptOf = (order: SubmitRequest, answer?: SubmitAnswer): StoredAttempt => ({
  ...order,
  attemptNo: 1,
  // Long enough ago that nothing more is on its way.
  claimedAt: new Date(Date.now() - HOUR_MS),
  ...(answer?.providerReference === undefined ? {} : { providerReference: answer.providerReference }),
});

const isProof = ({ type }: NotificationReading) => type === 'RECEIPT';
const isAuthentic = ({ type }: NotificationReading) => type === 'AUTHENTIC';

const isAbout = (reading: NotificationReading, { reference }: SubmitRequest) =>
  'reference' in reading && reading.reference === reference;

/** Who was told that it is enough waits for a moment before he calls again. */
async function holdOff(fault: Fault): Promise<void> {
  if (fault.type === 'ERROR' && fault.httpStatus === 429)
    await new Promise((resolve) => setTimeout(resolve, 1_100));
}

/** Whether something came true within a moment. */
async function waitBriefly(isSo: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 40 && !isSo(); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  return isSo();
}
