// Evidence after the end, from the operator's second thought to what two people make of it.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../src/sandbox/fakes/faults/fault.ts';
import { createMerchant } from '../src/core/merchants/administer-merchants.ts';
import { settleWallet, topUpWallets } from '../src/core/ledger/administer-wallets.ts';
import { releaseFunds } from '../src/core/limits/wallet-holds.ts';
import { advance } from '../src/core/payments/process/advance.ts';
import { readAuditLog } from '../src/core/audit.ts';
import { readCase, readCases, type CaseView } from '../src/core/reconciliation/resolve-cases.ts';
import { RESOLUTIONS, type Resolution } from '../src/domain/reconciliation/cases.ts';
import { parseAmount, renderAmount, type Amount } from '../src/domain/money.ts';
import { OPERATIONS } from '../src/domain/payments/payment.ts';
import { inTransaction } from '../src/store/database.ts';
import { listTrialBalance, listUnbalancedWallets, listWallets } from '../src/store/ledger/ledger.ts';
import { approvalOfCase, decideAs, requestAs } from './approvals.ts';
import { nowOf } from './clocks.ts';
import { openToken, type Account } from './edge/accounts.ts';
import { call, depositRequest, eventually, openTestGateway, select, type TestGateway } from './gateway.ts';
import { readPayment, start, startCompleted, waitForPayment, type Noun } from './payments.ts';
import { payoutRequest, refundRequest, wallet, type Body } from './requests.ts';

const PROVIDER = 'MTN_MOMO_RWA';

let gateway: TestGateway;
beforeEach(async () => {
  // The ladder is out of the way: what happens here happens because of notifications.
  gateway = await openTestGateway({
    simulator: { outcomeDelayMs: 100 },
    timing: { enquiryDelaysMs: [3_600_000] },
  });
});
afterEach(async () => {
  await expectSoundBooks();
  await gateway.stop();
});

/** Whatever happened to it: the books add up to zero, and every wallet is the sum of its transfers. */
async function expectSoundBooks(): Promise<void> {
  const { database } = gateway.engine.store;
  const totals = new Map<string, Amount>();
  for (const { currency, balance } of await listTrialBalance(database)) {
    totals.set(currency, (totals.get(currency) ?? 0n) + balance);
  }
  expect([...totals].filter(([, total]) => total !== 0n)).toEqual([]);
  expect(await listUnbalancedWallets(database)).toEqual([]);
}

/** What the accounts of Rwandan francs hold, by type: credits less debits, and only what is not zero. */
async function books(): Promise<Record<string, string>> {
  const rows = (await listTrialBalance(gateway.engine.store.database)).filter(
    ({ currency, type, balance }) => currency === 'RWF' && type !== 'CLEARING' && balance !== 0n,
  );
  return Object.fromEntries(rows.map(({ type, balance }) => [type, renderAmount(balance)]));
}

/** The operator's own books: what it holds for us in Rwandan francs. */
function operatorHolds(): string {
  const total = gateway.simulator
    .books()
    .totals.find(({ provider, currency }) => provider === PROVIDER && currency === 'RWF');
  return total?.balance ?? '0';
}

/** Our float as an operator counts it: what it owes us is above zero. */
async function float(): Promise<string> {
  return renderAmount(-(parseSigned((await books())['FLOAT'] ?? '0') ?? 0n));
}

function parseSigned(text: string): Amount {
  return text.startsWith('-') ? -parseAmount(text.slice(1))! : parseAmount(text)!;
}

/** Starts a payment whose outcome the operator turns around later, and waits for the case. */
async function startContradicted(noun: Noun, request: Body, firstEnd: string): Promise<CaseView> {
  gateway.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' } satisfies Fault);
  return caseAfter(noun, await start(gateway, noun, request), firstEnd);
}

async function caseAfter(
  noun: Noun,
  id: string,
  state: string,
  caller: Pick<TestGateway, 'url' | 'apiToken'> = gateway,
): Promise<CaseView> {
  await waitForPayment(caller, noun, id, state);
  await eventually(async () => (await casesOf(id)).length).toBe(1);
  const [found] = await casesOf(id);
  expect((await readPayment(caller, noun, id))['status']).toBe(state);
  return found!;
}

async function casesOf(paymentId: string): Promise<readonly CaseView[]> {
  const cases = await readCases(gateway.engine, { onlyOpen: false });
  return cases.filter((found) => found.paymentId === paymentId);
}

const refusedDeposit = () => depositRequest({ payer: wallet(PROVIDER, '250783456039') });
const refusedPayout = () => payoutRequest({ recipient: wallet(PROVIDER, '250783456089') });

function propose({ caseId }: CaseView, resolution: Resolution, amount: string | null = null) {
  const order = { caseId, resolution, reason: 'as the statement of 3 March says' };
  return requestAs(gateway.engine, 'Ana', {
    ...order,
    amount: amount === null ? null : parseSigned(amount),
  });
}

const REQUESTED = { type: 'REQUESTED', approvalId: expect.any(String) };
const DONE = { type: 'DONE', invited: null };

const decide = async (found: CaseView, by: string, what: 'approve' | 'reject') =>
  decideAs(gateway.engine, by, await approvalOfCase(gateway.engine, found), what);
const approve = (found: CaseView, by = 'Ben') => decide(found, by, 'approve');

/** One requests, another approves. */
async function resolve(found: CaseView, resolution: Resolution, amount: string | null = null): Promise<void> {
  expect(await propose(found, resolution, amount)).toEqual(REQUESTED);
  expect(await approve(found)).toEqual(DONE);
  expect(await readCases(gateway.engine, { onlyOpen: true })).toEqual([]);
}

/** Leaves this much in the Rwandan wallet, as if it had left before a case held it. */
async function leaveInWallet(amount: string): Promise<void> {
  const { engine, merchantId } = gateway;
  const holds = await select(gateway, 'select hold_id as id from wallet_holds');
  const ids = holds.map(({ id }) => id);
  await inTransaction(engine.store.database, (tx) => releaseFunds(engine, tx, ids, nowOf(engine)));
  const place = { merchantId, country: 'RWA', currency: 'RWF' };
  const [rwandan] = (await listWallets(engine.store.database, merchantId)).filter(
    ({ currency }) => currency === 'RWF',
  );
  const surplus = rwandan!.posted - parseSigned(amount);
  // As a fact: also of a wallet that owes.
  const order = { by: 'test', ...place, amount: surplus, bankHasPaid: true };
  expect(await settleWallet(engine, order)).toEqual({ type: 'DONE' });
}

async function transfersOf({ paymentId }: CaseView): Promise<readonly string[]> {
  const rows = await select(
    gateway,
    `select leg_no, template, d.type as debit, c.type as credit, amount::text from transfers
     join accounts d on d.account_id = debit_account_id join accounts c on c.account_id = credit_account_id
    
       where subject_id in (select payment_no from payment_keys where payment_id = $1) and state = 'POSTED'
       order by leg_no`,
    [paymentId],
  );
  return rows.map(
    ({ leg_no: legNo, template, debit, credit, amount }) =>
      `${legNo} ${template}: ${debit} to ${credit} ${Number(amount)}`,
  );
}

describe('the late success of a failed deposit', () => {
  beforeEach(() => leaveInWallet('0'));

  test('the late success of a failed deposit changes no state: our float is what the operator holds, and suspense holds the difference', async () => {
    const found = await startContradicted('deposit', refusedDeposit(), 'FAILED');
    expect(found).toMatchObject({ evidence: 'LATE_SUCCESS', kind: 'DEPOSIT' });
    expect(found.allowed).toEqual(['CREDIT_MERCHANT', 'RETURN_TO_PAYER', 'REVERSE_EVIDENCE']);
    expect(await books()).toEqual({ FLOAT: '-100', SUSPENSE: '100' });
    expect(await float()).toBe(operatorHolds());
  });

  test('CREDIT_MERCHANT: the merchant has it, and the deposit is still FAILED', async () => {
    const found = await startContradicted('deposit', refusedDeposit(), 'FAILED');
    await resolve(found, 'CREDIT_MERCHANT');
    expect(await books()).toEqual({ FLOAT: '-100', WALLET: '100' });
    expect(await float()).toBe(operatorHolds());
    expect((await readPayment(gateway, 'deposit', found.paymentId))['status']).toBe('FAILED');
    expect(await transfersOf(found)).toEqual([
      '10 LATE_SUCCESS: FLOAT to SUSPENSE 100',
      '30 CREDIT_MERCHANT: SUSPENSE to WALLET 100',
    ]);
  });

  test('RETURN_TO_PAYER: it has left our float, by the hand of anyone who sent it back', async () => {
    const found = await startContradicted('deposit', refusedDeposit(), 'FAILED');
    await resolve(found, 'RETURN_TO_PAYER');
    expect(await books()).toEqual({});
    expect((await readPayment(gateway, 'deposit', found.paymentId))['status']).toBe('FAILED');
  });
});

describe('the late success of a failed payout', () => {
  test('the late success of a failed payout changes no state: our float is what the operator holds, and suspense holds the difference', async () => {
    const found = await startContradicted('payout', refusedPayout(), 'FAILED');
    expect(found).toMatchObject({ evidence: 'LATE_SUCCESS', kind: 'PAYOUT' });
    expect(found.allowed).toEqual(['RECOVER_FROM_MERCHANT', 'WRITE_OFF', 'REVERSE_EVIDENCE']);
    expect(await books()).toEqual({ FLOAT: '100', SUSPENSE: '-100', WALLET: '1000000' });
    expect(operatorHolds()).toBe('-100');
    expect(await float()).toBe(operatorHolds());
  });

  test('RECOVER_FROM_MERCHANT: the merchant pays for what was sent', async () => {
    const found = await startContradicted('payout', refusedPayout(), 'FAILED');
    await resolve(found, 'RECOVER_FROM_MERCHANT');
    expect(await books()).toEqual({ FLOAT: '100', WALLET: '999900' });
    expect(await float()).toBe(operatorHolds());
    expect((await readPayment(gateway, 'payout', found.paymentId))['status']).toBe('FAILED');
  });

  test('RECOVER_FROM_MERCHANT with too little in the wallet: it pays what it has and owes the rest', async () => {
    const found = await startContradicted('payout', refusedPayout(), 'FAILED');
    await leaveInWallet('30.5');
    await resolve(found, 'RECOVER_FROM_MERCHANT');
    expect(await books()).toEqual({ FLOAT: '100', RECEIVABLE: '-69.5' });
    expect(await transfersOf(found)).toEqual([
      '10 LATE_SUCCESS: SUSPENSE to FLOAT 100',
      '30 RECOVER_FROM_MERCHANT: WALLET to SUSPENSE 30.5',
      '31 RECOVER_FROM_MERCHANT: RECEIVABLE to SUSPENSE 69.5',
    ]);
  });

  test('RECOVER_FROM_MERCHANT does not take what is held for another payout', async () => {
    const found = await startContradicted('payout', refusedPayout(), 'FAILED');
    await leaveInWallet('150');
    const stuck = payoutRequest({ recipient: wallet(PROVIDER, '250783456129') });
    await start(gateway, 'payout', stuck);
    await waitForPayment(gateway, 'payout', stuck['payoutId'], 'PROCESSING');
    await resolve(found, 'RECOVER_FROM_MERCHANT');
    expect(await books()).toEqual({ FLOAT: '100', RECEIVABLE: '-50', WALLET: '100' });
  });

  test('WRITE_OFF: the platform pays', async () => {
    const found = await startContradicted('payout', refusedPayout(), 'FAILED');
    await resolve(found, 'WRITE_OFF');
    expect(await books()).toEqual({ FLOAT: '100', WRITE_OFF: '-100', WALLET: '1000000' });
    expect(await float()).toBe(operatorHolds());
  });
});

describe('a merchant who keeps one wallet per provider', () => {
  let account: Account;
  beforeEach(async () => {
    const order = { by: 'test', companyName: 'Soko', operations: OPERATIONS, walletPerProvider: true };
    account = await openToken(gateway, await createMerchant(gateway.engine, order));
  });

  async function wallets(): Promise<readonly string[]> {
    const found = await listWallets(gateway.engine.store.database, account.merchantId);
    return found.map(({ provider, posted }) => `${provider} ${renderAmount(posted)}`);
  }

  test('a merchant who keeps one wallet per provider pays for a payout from the wallet of its provider', async () => {
    for (const walletProvider of [PROVIDER, 'AIRTEL_RWA']) {
      const place = { merchantId: account.merchantId, country: 'RWA', currency: 'RWF', walletProvider };
      await topUpWallets(gateway.engine, [{ by: 'test', ...place, amount: parseSigned('500') }]);
    }
    gateway.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
    const found = await caseAfter(
      'payout',
      await start(account, 'payout', refusedPayout()),
      'FAILED',
      account,
    );
    await resolve(found, 'RECOVER_FROM_MERCHANT');
    expect(await wallets()).toEqual(['AIRTEL_RWA 500', 'MTN_MOMO_RWA 400']);
  });

  test('a merchant who keeps one wallet per provider pays for the share of a split from the wallet its collection went into, in another country', async () => {
    const payoutId = randomUUID();
    const split = {
      splitPaymentId: randomUUID(),
      amount: '1000',
      currency: 'XOF',
      payer: wallet('ORANGE_SEN', '221773456789'),
      splits: [{ payoutId, amount: '300', recipient: wallet('MTN_MOMO_CIV', '2250503456089') }],
    };
    gateway.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION', operation: 'PAYOUT' });
    const { body } = await call(account, 'POST', '/v2/split-payments', split);
    expect(body).toMatchObject({ status: 'ACCEPTED' });
    await eventually(async () => (await casesOf(payoutId)).length).toBe(1);
    await resolve(await caseAfter('payout', payoutId, 'FAILED', account), 'RECOVER_FROM_MERCHANT');
    expect(await wallets()).toEqual(['ORANGE_SEN 700']);
  });
});

describe('the late failure of a completed payment', () => {
  test('of a deposit: the merchant owes it, and pays from its wallet', async () => {
    const found = await startContradicted('deposit', depositRequest(), 'COMPLETED');
    expect(await books()).toEqual({ RECEIVABLE: '-100', WALLET: '1000100' });
    await resolve(found, 'RECOVER_FROM_MERCHANT');
    expect(await books()).toEqual({ WALLET: '1000000' });
    expect(await float()).toBe(operatorHolds());
    expect((await transfersOf(found)).at(-1)).toBe('40 RECOVER_FROM_MERCHANT: WALLET to RECEIVABLE 100');
  });

  test('of a deposit, with an empty wallet: it goes on owing it, and the case is closed', async () => {
    const found = await startContradicted('deposit', depositRequest(), 'COMPLETED');
    await leaveInWallet('0');
    await resolve(found, 'RECOVER_FROM_MERCHANT');
    expect(await books()).toEqual({ RECEIVABLE: '-100' });
  });

  test('of a deposit: the platform pays', async () => {
    const found = await startContradicted('deposit', depositRequest(), 'COMPLETED');
    await resolve(found, 'WRITE_OFF');
    expect(await books()).toEqual({ WRITE_OFF: '-100', WALLET: '1000100' });
  });

  test('of a payout: the merchant gets it back', async () => {
    const found = await startContradicted('payout', payoutRequest(), 'COMPLETED');
    expect(found.allowed).toEqual(['CREDIT_MERCHANT', 'REVERSE_EVIDENCE']);
    expect(await books()).toEqual({ SUSPENSE: '100', WALLET: '999900' });
    await resolve(found, 'CREDIT_MERCHANT');
    expect(await books()).toEqual({ WALLET: '1000000' });
    expect(await float()).toBe(operatorHolds());
  });

  test.each<[Resolution, Record<string, string>]>([
    ['CREDIT_MERCHANT', { FLOAT: '-100', WALLET: '1000100' }],
    ['RETURN_TO_PAYER', { WALLET: '1000000' }],
  ])('of a refund: %s', async (resolution, after) => {
    const depositId = await startCompleted(gateway, 'deposit', depositRequest());
    const found = await startContradicted('refund', refundRequest(depositId), 'COMPLETED');
    expect(await books()).toEqual({ FLOAT: '-100', SUSPENSE: '100', WALLET: '1000000' });
    await resolve(found, resolution);
    expect(await books()).toEqual(after);
  });
});

/** The operator says that it collected another amount; the deposit is not yet final. */
async function startDiscrepancy(): Promise<CaseView> {
  gateway.simulator.addFault({ type: 'WRONG_AMOUNT', amount: '90' });
  return caseAfter('deposit', await start(gateway, 'deposit', depositRequest()), 'IN_RECONCILIATION');
}

/** The operator's last word on the deposit is that it failed, and yet its statement shows what it took. */
async function startEndedDiscrepancy(): Promise<CaseView> {
  const found = await startDiscrepancy();
  const { merchantId, kind, paymentId } = found;
  const outcome = { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } as const;
  const key = { merchantId, kind, paymentId };
  await advance(gateway.engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
  return found;
}

describe('a discrepancy', () => {
  test('a discrepancy posts nothing when it is opened, and cannot be resolved while its payment is not final', async () => {
    const found = await startDiscrepancy();
    expect(await books()).toEqual({ WALLET: '1000000' });
    expect(await propose(found, 'CREDIT_MERCHANT', '90')).toEqual({ type: 'PAYMENT_NOT_FINAL' });
  });

  test('a discrepancy needs the amount it comes to, and no other case takes one', async () => {
    const found = await startEndedDiscrepancy();
    expect(await propose(found, 'CREDIT_MERCHANT')).toEqual({ type: 'AMOUNT_NEEDED' });
    const late = await startContradicted('deposit', refusedDeposit(), 'FAILED');
    expect(await propose(late, 'CREDIT_MERCHANT', '90')).toEqual({ type: 'AMOUNT_NOT_NEEDED' });
  });

  test.each<[Resolution, string, Record<string, string>]>([
    ['CREDIT_MERCHANT', '90', { FLOAT: '-90', WALLET: '1000090' }],
    ['RETURN_TO_PAYER', '90', { WALLET: '1000000' }],
    ['RECOVER_FROM_MERCHANT', '10', { FLOAT: '10', WALLET: '999990' }],
    ['WRITE_OFF', '10', { FLOAT: '10', WRITE_OFF: '-10', WALLET: '1000000' }],
    ['WRITE_OFF', '0', { WALLET: '1000000' }],
  ])('%s of %s: the float follows the operator’s statement', async (resolution, amount, after) => {
    await resolve(await startEndedDiscrepancy(), resolution, amount);
    expect(await books()).toEqual(after);
  });
});

describe('two people', () => {
  let found: CaseView;
  beforeEach(async () => {
    found = await startContradicted('deposit', refusedDeposit(), 'FAILED');
  });

  test('a person who proposed cannot approve, in whatever letters', async () => {
    await propose(found, 'CREDIT_MERCHANT');
    for (const by of ['Ana', 'ANA', ' ana ']) {
      expect(await approve(found, by)).toEqual({ type: 'SAME_PERSON' });
    }
    expect(await books()).toMatchObject({ SUSPENSE: '100' });
  });

  test.each(['Ana', 'ana', ' ANA '])('the database refuses it too: "%s"', async (by) => {
    await propose(found, 'CREDIT_MERCHANT');
    const update = `update approvals set status = 'APPROVED', decided_by_name = $2, decided_at = requested_at,
      decided_hash = shown_hash where subject = $1`;
    await expect(select(gateway, update, [found.caseId, by])).rejects.toThrow('approvals_need_two_people');
  });

  test('the database refuses to resolve a case without an approval of its resolution', async () => {
    expect(await approve(found)).toEqual({ type: 'NOT_FOUND' });
    const resolved = `update cases set resolution = 'CREDIT_MERCHANT', resolved_at = opened_at where case_id = $1`;
    await expect(select(gateway, resolved, [found.caseId])).rejects.toThrow('cases needs an approval');
    await propose(found, 'CREDIT_MERCHANT');
    await expect(select(gateway, resolved, [found.caseId])).rejects.toThrow('cases needs an approval');
  });

  test('a proposal that is rejected posts nothing, and makes room for another', async () => {
    const requested = await propose(found, 'CREDIT_MERCHANT');
    const approvalId = requested.type === 'REQUESTED' ? requested.approvalId : '';
    expect(await propose(found, 'RETURN_TO_PAYER')).toEqual({ type: 'REQUESTED_BEFORE', by: 'Ana' });
    expect(await decide(found, 'Ben', 'reject')).toEqual(DONE);
    const decided = { type: 'DECIDED_BEFORE', status: 'REJECTED' };
    expect(await decideAs(gateway.engine, 'Ben', approvalId, 'reject')).toEqual(decided);
    expect(await decideAs(gateway.engine, 'Ben', approvalId)).toEqual(decided);
    await resolve(found, 'RETURN_TO_PAYER');
  });

  test('a case is resolved once, however many approve it at once', async () => {
    await propose(found, 'CREDIT_MERCHANT');
    const answers = await Promise.all(['Ben', 'Cleo', 'Dan', 'Eva'].map((by) => approve(found, by)));
    const types = answers.map(({ type }) => type).toSorted();
    expect(types).toEqual(['DECIDED_BEFORE', 'DECIDED_BEFORE', 'DECIDED_BEFORE', 'DONE']);
    expect(await books()).toMatchObject({ WALLET: '1000100' });
    expect(await propose(found, 'RETURN_TO_PAYER')).toEqual({ type: 'RESOLVED_BEFORE' });
  });

  test('a resolved case is never changed, and no case is ever deleted', async () => {
    await expect(select(gateway, 'delete from cases')).rejects.toThrow('append-only');
    await resolve(found, 'CREDIT_MERCHANT');
    const change = `update cases set resolution = 'RETURN_TO_PAYER'`;
    await expect(select(gateway, change)).rejects.toThrow('append-only');
  });

  test('only what makes sense for the case can be requested, and the database knows the list', async () => {
    const allowed = ['CREDIT_MERCHANT', 'RETURN_TO_PAYER', 'REVERSE_EVIDENCE'];
    for (const resolution of RESOLUTIONS.filter((one) => !allowed.includes(one))) {
      expect(await propose(found, resolution)).toEqual({ type: 'NOT_ALLOWED', allowed });
    }
    const change = `update cases set resolution = 'KEEP_IT'`;
    await expect(select(gateway, change)).rejects.toThrow('cases_resolution_is_of_the_list');
  });

  test('there is nothing to do about a case that does not exist', async () => {
    const unknown = { ...found, caseId: randomUUID() };
    expect(await propose(unknown, 'CREDIT_MERCHANT')).toEqual({ type: 'NO_SUCH_CASE' });
    expect(await readCase(gateway.engine, { by: 'Ben', caseId: unknown.caseId })).toBeNull();
  });

  test('every step is in the audit log, with who and why; reading the evidence is one', async () => {
    const { engine, merchantId } = gateway;
    const { caseId, paymentId } = found;
    const shown = await readCase(engine, { by: 'Ben', caseId });
    expect(shown?.statement).toContain('250783456039');
    await propose(found, 'CREDIT_MERCHANT');
    await decide(found, 'Ben', 'reject');
    await propose(found, 'CREDIT_MERCHANT');
    const approvalId = await approvalOfCase(engine, found);
    await approve(found, 'Cleo');
    const entries = (await readAuditLog(engine, { merchantId, countMax: 6 })).toReversed();
    const reason = 'as the statement of 3 March says';
    expect(entries.map(({ actor, act, reason: why }) => [actor, act, why])).toEqual([
      ['Ben', 'CASE_READ', undefined],
      ['Ana', 'APPROVAL_REQUESTED', reason],
      ['Ben', 'APPROVAL_REJECTED', 'why not'],
      ['Ana', 'APPROVAL_REQUESTED', reason],
      ['Cleo', 'CASE_RESOLVED', undefined],
      ['Cleo', 'APPROVAL_GIVEN', undefined],
    ]);
    const facts = { evidence: 'LATE_SUCCESS', kind: 'DEPOSIT', paymentId };
    const resolved = { ...facts, resolution: 'CREDIT_MERCHANT', amount: '100', requestedBy: 'Ana' };
    expect(entries[4]).toMatchObject({ subject: caseId, detail: resolved });
    const given = { kind: 'CASE', about: caseId, resolution: 'CREDIT_MERCHANT', requestedBy: 'Ana' };
    expect(entries[5]).toMatchObject({ subject: approvalId, detail: given });
  });

  test('what people write is encrypted: the database holds neither reasons nor evidence in clear', async () => {
    await propose(found, 'CREDIT_MERCHANT');
    const rows = await select(
      gateway,
      `select row_to_json(cases)::text as row from cases union all select row_to_json(approvals)::text from approvals
       union all select row_to_json(audit_log)::text from audit_log`,
    );
    const dump = rows.map(({ row }) => row).join('\n');
    const plain = Buffer.from('statement of 3 March').toString('hex');
    for (const secret of ['statement of 3 March', plain, '250783456039']) expect(dump).not.toContain(secret);
    expect(dump).toContain('APPROVAL_REQUESTED');
  });
});
