// A merchant whose operator changes its mind, and the people who resolve that: every step is taken by the test, so the
// gateway must have no worker.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { settleWallet } from '../src/core/ledger/administer-wallets.ts';
import { createMerchant } from '../src/core/merchants/administer-merchants.ts';
import { releaseDueFunds } from '../src/core/limits/wallet-holds.ts';
import { advance } from '../src/core/payments/process/advance.ts';
import { readCases, type CaseView } from '../src/core/reconciliation/resolve-cases.ts';
import { parseAmount } from '../src/domain/money.ts';
import type { PaymentEvent } from '../src/domain/payments/lifecycle.ts';
import type { End } from '../src/domain/payments/outcome.ts';
import { OPERATIONS, type PaymentKey } from '../src/domain/payments/payment.ts';
import type { Resolution } from '../src/domain/reconciliation/cases.ts';
import { requestAs, resolveCase } from './approvals.ts';
import { openToken, type Account } from './edge/accounts.ts';
import { call, depositRequest, select, type TestGateway } from './gateway.ts';
import { payoutRequest, type Body } from './requests.ts';

export const HOUR_MS = 3_600_000;
const FAILED = { type: 'FAILED', code: 'OTHER_ERROR' } as const;

/** In whole francs. */
export type Funds = { readonly posted: number; readonly held: number; readonly owed: number };

export class OwingShop {
  readonly account: Account;
  readonly #gateway: TestGateway;

  private constructor(gateway: TestGateway, account: Account) {
    this.#gateway = gateway;
    this.account = account;
  }

  static async open(gateway: TestGateway): Promise<OwingShop> {
    const shop = { by: 'test', companyName: 'Shop', operations: OPERATIONS, walletPerProvider: false };
    const account = await openToken(gateway, await createMerchant(gateway.engine, shop));
    return new OwingShop(gateway, account);
  }

  /** A deposit that the operator says it completed. */
  async deposit(amount: number): Promise<PaymentKey> {
    const key = await this.openDeposit(amount);
    await this.tell(key, answered(completed()));
    return key;
  }

  /** A deposit that people complete, because the operator gives no clear answer in time. */
  async manualDeposit(amount: number): Promise<PaymentKey> {
    const key = await this.openDeposit(amount);
    await this.tell(key, { type: 'HORIZON_PASSED' });
    await this.endManually(key, completed());
    return key;
  }

  async endManually(key: PaymentKey, outcome: End): Promise<void> {
    const actor = { by: 'Ana', reason: 'letter' };
    await advance(this.#gateway.engine, [{ key, event: { type: 'ENDED_MANUALLY', outcome }, actor }]);
  }

  /** The operator takes back what it said of a completed payment. */
  async reverse(key: PaymentKey): Promise<void> {
    expect(await this.tell(key, answered(FAILED))).toBe('CONTRADICTION');
  }

  async tell(key: PaymentKey, event: PaymentEvent): Promise<string | undefined> {
    const [answer] = await advance(this.#gateway.engine, [{ key, event }]);
    return answer?.type;
  }

  /** The operator says that it moved another amount, under a transaction that is new to us. */
  async differ(key: PaymentKey, amount: number): Promise<void> {
    const moved = { amount: francs(amount), currency: 'RWF' };
    await this.tell(key, answered({ ...completed(), moved }));
  }

  /** Completed deposits whose money has left for the merchant's bank. */
  async spentDeposits(...amounts: readonly number[]): Promise<readonly PaymentKey[]> {
    const keys: PaymentKey[] = [];
    for (const amount of amounts) keys.push(await this.deposit(amount));
    const { merchantId } = this.account;
    const amount = francs(amounts.reduce((sum, one) => sum + one, 0));
    const order = { by: 'test', merchantId, country: 'RWA', currency: 'RWF', amount, bankHasPaid: true };
    expect(await settleWallet(this.#gateway.engine, order)).toEqual({ type: 'DONE' });
    return keys;
  }

  /** What the operator takes back of them is owed, and nothing covers it. */
  async owe(...amounts: readonly number[]): Promise<readonly PaymentKey[]> {
    const keys = await this.spentDeposits(...amounts);
    for (const key of keys) await this.reverse(key);
    return keys;
  }

  /** Answers the failure code, or how it was accepted. */
  async payout(amount: number): Promise<string> {
    const { body } = await this.send('/v2/payouts', payoutRequest({ amount: String(amount) }));
    return body['failureReason']?.failureCode ?? body['status'];
  }

  async send(path: string, request: Body) {
    return call(this.account, 'POST', path, request);
  }

  async caseOf(key: PaymentKey): Promise<CaseView> {
    const cases = await readCases(this.#gateway.engine, { onlyOpen: true });
    const found = cases.findLast(({ kind, paymentId }) => kind === key.kind && paymentId === key.paymentId);
    return found ?? expect.fail('no open case');
  }

  /** Ana requests it, and Ben approves. */
  async resolve(key: PaymentKey, resolution: Resolution, amount?: number): Promise<void> {
    const { caseId } = await this.caseOf(key);
    const of = { caseId, resolution, amount: amount === undefined ? null : francs(amount) };
    expect(await resolveCase(this.#gateway.engine, of)).toMatchObject({ type: 'DONE' });
  }

  /** Answers the identifier of the pending approval. */
  async request(key: PaymentKey, resolution: Resolution, amount?: number): Promise<string> {
    const { caseId } = await this.caseOf(key);
    const of = { caseId, resolution, amount: amount === undefined ? null : francs(amount) };
    const answer = await requestAs(this.#gateway.engine, 'Ana', of);
    return answer.type === 'REQUESTED' ? answer.approvalId : expect.fail(answer.type);
  }

  /** Time passes, and what is due then is released. */
  async pass(hours: number): Promise<number> {
    await this.#gateway.gateway.movableClock!.move(hours * HOUR_MS);
    return this.release();
  }

  async release(): Promise<number> {
    let count = 0;
    for (;;) {
      const released = await releaseDueFunds(this.#gateway.engine, {
        countMax: 100,
        onError: (error) => {
          throw error;
        },
      });
      if (released === 0) return count;
      count += released;
    }
  }

  async funds(): Promise<Funds> {
    const [row] = await select(
      this.#gateway,
      `select posted::float8 as posted, held::float8 as held, owed::float8 as owed
       from wallets join accounts using (account_id)
       where wallets.merchant_id = $1 and country = 'RWA' and currency = 'RWF'`,
      [this.account.merchantId],
    );
    return { posted: row?.['posted'] ?? 0, held: row?.['held'] ?? 0, owed: row?.['owed'] ?? 0 };
  }

  /** What every debt comes to, the oldest first. */
  async debts(): Promise<
    readonly { readonly amount: number; readonly paid: number; readonly forgiven: number }[]
  > {
    return select(
      this.#gateway,
      `select amount::float8 as amount, paid::float8 as paid, forgiven::float8 as forgiven from wallet_debts
       where merchant_id = $1 order by owed_since, subject_id, leg_no`,
      [this.account.merchantId],
    );
  }

  /** "COLLECT WALLET > RECEIVABLE 500", in the order of time. */
  async transfers(key: PaymentKey): Promise<readonly string[]> {
    const rows = await select(
      this.#gateway,
      `select template, d.type as debit, c.type as credit, amount::float8 as amount from transfers
       join accounts d on d.account_id = debit_account_id join accounts c on c.account_id = credit_account_id
       where subject_id = (select payment_no from payment_keys where payment_id = $1) and state = 'POSTED'
       order by transfers.created_at, leg_no`,
      [key.paymentId],
    );
    return rows.map(({ template, debit, credit, amount }) => `${template} ${debit} > ${credit} ${amount}`);
  }

  /** A deposit that its operator has been asked for. */
  async openDeposit(amount: number): Promise<PaymentKey> {
    const request = depositRequest({ amount: String(amount) });
    expect((await this.send('/v2/deposits', request)).body).toMatchObject({ status: 'ACCEPTED' });
    const { merchantId } = this.account;
    const key = { merchantId, kind: 'DEPOSIT', paymentId: request['depositId'] } as const;
    await this.tell(key, { type: 'SUBMIT_CLAIMED' });
    return key;
  }
}

export function francs(amount: number) {
  return parseAmount(String(amount)) ?? expect.fail(`${amount} is no amount`);
}

export function completed() {
  return { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
}

export function answered(outcome: Extract<PaymentEvent, { type: 'OPERATOR_ANSWERED' }>['outcome']) {
  return { type: 'OPERATOR_ANSWERED', outcome } as const;
}
