// The books as PostgreSQL keeps them: transfers that are never edited, and wallets that are always their sum.
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseAmount, renderAmount, type Amount } from '../../src/domain/money.ts';
import type { Account, Leg } from '../../src/domain/ledger/postings.ts';
import { inTransaction } from '../../src/store/database.ts';
import {
  book,
  ensureAccounts,
  listTrialBalance,
  listUnbalancedWallets,
  listWallets,
  post,
  type Posting,
} from '../../src/store/ledger/ledger.ts';
import { insertHolds } from '../../src/store/ledger/wallet-holds.ts';
import { accountId, lockFunds } from '../../src/store/ledger/wallet-funds.ts';
import { readTextTable } from '../domain/text-table.ts';
import { addMerchant, NOON, openTestStore, type TestStore } from './open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.stop());

/** Two merchants of its own for each test, called shop and stall. */
let merchants: Readonly<Record<string, string>>;
beforeEach(async () => {
  merchants = { shop: await addMerchant(store), stall: await addMerchant(store) };
});

/** "WALLET shop RWF", "FLOAT platform RWF". */
function account(name: string): Account {
  const [type, owner, currency] = name.split(' ') as [Account['type'], string, string];
  const place = { country: 'RWA', currency, provider: '' };
  if (type === 'WALLET' || type === 'RECEIVABLE') return { type, merchantId: merchants[owner]!, ...place };
  return { type, ...place, provider: 'MTN_MOMO_RWA' };
}

function leg(debit: string, credit: string, amount: string): Leg {
  return { debit: account(debit), credit: account(credit), amount: parseAmount(amount)! };
}

function posting(legs: readonly Leg[], changes: Partial<Posting> = {}): Posting {
  const subject = { merchantId: merchants['shop']!, kind: 'TOP_UP', id: randomUUID() };
  return { subject, template: 'TEST', firstLegNo: 0, legs, ...changes };
}

async function postAll(...postings: readonly Posting[]): Promise<void> {
  await inTransaction(store.database, async (tx) => {
    await ensureAccounts(tx, accountsOf(postings));
    await post(tx, postings, NOON);
  });
}

const accountsOf = (postings: readonly Posting[]) =>
  postings.flatMap(({ legs }) => legs.flatMap(({ debit, credit }) => [debit, credit]));

/** Posts the lines of a table, each in a transaction of its own. */
async function postTable(text: string): Promise<void> {
  for (const [debit = '', credit = '', amount = ''] of readTextTable(text)) {
    await postAll(posting([leg(debit, credit, amount)]));
  }
}

async function walletsOf(owner: string): Promise<readonly string[]> {
  const wallets = await listWallets(store.database, merchants[owner]!);
  return wallets.map(({ currency, posted }) => `${currency} ${renderAmount(posted)}`);
}

/** Accounts as core makes them, and what a payout of the shop takes from its wallet. */
async function holdOf(amount: string, fee: string): Promise<Posting> {
  const held = posting([
    leg('WALLET shop RWF', 'FLOAT platform RWF', amount),
    leg('WALLET shop RWF', 'FEE platform RWF', fee),
  ]);
  await inTransaction(store.database, async (tx) => {
    await ensureAccounts(tx, accountsOf([held]));
    await book(tx, { held: [held] }, NOON);
  });
  return held;
}

const settle = ({ subject }: Posting, state: 'POSTED' | 'VOIDED') =>
  inTransaction(store.database, (tx) => book(tx, { ended: [{ subject, state }] }, NOON));

async function shopWallet(): Promise<{ readonly posted: string; readonly held: string }> {
  const [wallet] = await listWallets(store.database, merchants['shop']!);
  return { posted: renderAmount(wallet!.posted), held: renderAmount(wallet!.held) };
}

/** Wallets that hold something else than their pending transfers take from them. */
async function listWronglyHeld(): Promise<readonly unknown[]> {
  const { rows } = await store.database.query(
    `select account_id from wallets w where held <> coalesce((select sum(amount) from transfers
       where debit_account_id = w.account_id and state = 'PENDING'), 0)`,
  );
  return rows;
}

async function expectSoundBooks(): Promise<void> {
  expect(await listUnbalancedWallets(store.database)).toEqual([]);
  const totals = new Map<string, Amount>();
  for (const { currency, balance } of await listTrialBalance(store.database)) {
    totals.set(currency, (totals.get(currency) ?? 0n) + balance);
  }
  for (const [currency, total] of totals) expect(`${currency} ${total}`).toBe(`${currency} 0`);
  expect(await listWronglyHeld()).toEqual([]);
}

/** Sets what is held in the shop's wallet. */
const setHeld = (amount: number) =>
  store.database.query('update wallets set held = $2 where account_id = $1', [
    accountId(account('WALLET shop RWF')),
    amount,
  ]);

describe('wallets', () => {
  test('wallets are what their transfers add up to', async () => {
    await postTable(`
      debit              | credit            | amount
      FLOAT platform RWF    | WALLET shop RWF   | 1000
      FLOAT platform RWF    | WALLET stall RWF  | 0.0001
      CLEARING platform USD | WALLET shop USD   | 12.5
      WALLET shop RWF    | FEE platform RWF     | 150.25
      RECEIVABLE shop RWF| FLOAT platform RWF   | 900
    `);
    expect(await walletsOf('shop')).toEqual(['RWF 849.75', 'USD 12.5']);
    expect(await walletsOf('stall')).toEqual(['RWF 0.0001']);
    await expectSoundBooks();
  });

  test('wallets that do not equal their transfers are found', async () => {
    await postTable(`debit | credit | amount\n FLOAT platform RWF | WALLET shop RWF | 10`);
    const wallet = accountId(account('WALLET shop RWF'));
    const add = (amount: number) =>
      store.database.query('update wallets set posted = posted + $2 where account_id = $1', [wallet, amount]);
    await add(1);
    expect(await listUnbalancedWallets(store.database)).toEqual([wallet]);
    await add(-1);
    expect(await listUnbalancedWallets(store.database)).toEqual([]);
  });

  test('wallets never go below zero, and what would have taken them there leaves nothing behind', async () => {
    await postTable(`debit | credit | amount\n FLOAT platform RWF | WALLET shop RWF | 100`);
    const tooMuch = posting([
      leg('FLOAT platform RWF', 'WALLET stall RWF', '5'),
      leg('WALLET shop RWF', 'FEE platform RWF', '100.0001'),
    ]);
    await expect(postAll(tooMuch)).rejects.toThrow('wallets_available_not_negative');
    expect(await walletsOf('shop')).toEqual(['RWF 100']);
    expect(await walletsOf('stall')).toEqual([]);
    await postAll(posting([leg('WALLET shop RWF', 'FEE platform RWF', '100')]));
    expect(await walletsOf('shop')).toEqual(['RWF 0']);
  });

  test('what is held is not available, and cannot be less than nothing', async () => {
    await postTable(`debit | credit | amount\n FLOAT platform RWF | WALLET shop RWF | 100`);
    await expect(setHeld(101)).rejects.toThrow('wallets_available_not_negative');
    await expect(setHeld(-1)).rejects.toThrow('wallets_held_not_negative');
    await setHeld(60);
    const spend = posting([leg('WALLET shop RWF', 'FEE platform RWF', '41')]);
    await expect(postAll(spend)).rejects.toThrow('wallets_available_not_negative');
    await setHeld(0);
  });

  test('of twenty withdrawals at once that it can pay ten of, a wallet pays ten', async () => {
    await postTable(`debit | credit | amount\n FLOAT platform RWF | WALLET shop RWF | 109`);
    const withdrawals = Array.from({ length: 20 }, () =>
      postAll(posting([leg('WALLET shop RWF', 'FLOAT platform RWF', '10')])),
    );
    const results = await Promise.allSettled(withdrawals);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await walletsOf('shop')).toEqual(['RWF 9']);
    await expectSoundBooks();
  });

  test('a wallet without its row is not moved silently', async () => {
    const stray = posting([leg('FLOAT platform RWF', 'WALLET shop RWF', '1')]);
    const accounts = [account('FLOAT platform RWF'), account('WALLET shop RWF')];
    await expect(
      inTransaction(store.database, async (tx) => {
        await ensureAccounts(tx, accounts);
        await tx.query('delete from wallets where account_id = $1', [accountId(account('WALLET shop RWF'))]);
        await post(tx, [stray], NOON);
      }),
    ).rejects.toThrow('0 of 1 wallets moved');
  });
});

/** A transfer in `state`, under a subject of its own. */
async function transfer(state: 'PENDING' | 'POSTED'): Promise<string> {
  const [float, suspense] = [account('FLOAT platform RWF'), account('SUSPENSE platform RWF')];
  await ensureAccounts(store.database, [float, suspense]);
  const id = randomUUID();
  await store.database.query(
    `insert into transfers (merchant_id, subject_kind, subject_id, leg_no, template, debit_account_id,
       credit_account_id, amount, state, created_at)
     values ($1, 'PAYOUT', $2, 0, 'TEST', $3, $4, 10, $5, $6)`,
    [merchants['shop'], id, accountId(float), accountId(suspense), state, NOON],
  );
  return id;
}

const edit = (id: string, assignments: string) =>
  store.database.query(`update transfers set ${assignments} where subject_id = $1`, [id]);

describe('transfers', () => {
  const REFUSED = 'a transfer is never edited except from pending to posted or voided';

  test.each(['POSTED', 'VOIDED'])('a pending one becomes %s, and then nothing else', async (state) => {
    const id = await transfer('PENDING');
    await edit(id, `state = '${state}'`);
    for (const next of ['PENDING', 'POSTED', 'VOIDED']) {
      await expect(edit(id, `state = '${next}'`)).rejects.toThrow(REFUSED);
    }
  });

  test.each([
    `merchant_id = gen_random_uuid()`,
    `subject_kind = 'REFUND'`,
    `subject_id = gen_random_uuid()`,
    'leg_no = 1',
    `template = 'OTHER'`,
    'debit_account_id = credit_account_id',
    'credit_account_id = debit_account_id',
    'amount = 11',
    `created_at = created_at + interval '1 second'`,
  ])('nothing else of it can be edited, not even while it is pending: %s', async (assignment) => {
    const [pending, posted] = [await transfer('PENDING'), await transfer('POSTED')];
    await expect(edit(pending, assignment)).rejects.toThrow(REFUSED);
    await expect(edit(pending, `${assignment}, state = 'POSTED'`)).rejects.toThrow(REFUSED);
    await expect(edit(posted, assignment)).rejects.toThrow(REFUSED);
  });

  test('none is deleted, in whichever state', async () => {
    for (const id of [await transfer('PENDING'), await transfer('POSTED')]) {
      const deletion = store.database.query('delete from transfers where subject_id = $1', [id]);
      await expect(deletion).rejects.toThrow('transfers is append-only');
    }
  });

  test('transfers lead from one account to another, and have an amount', async () => {
    const same = posting([leg('FLOAT platform RWF', 'FLOAT platform RWF', '1')]);
    await expect(postAll(same)).rejects.toThrow('transfers_between_two_accounts');
    const nothing = posting([leg('FLOAT platform RWF', 'WALLET shop RWF', '0')]);
    await expect(postAll(nothing)).rejects.toThrow('transfers_amount_positive');
  });
});

describe('postings', () => {
  test('a posting made twice is refused, one after the other and at once', async () => {
    const once = posting([
      leg('FLOAT platform RWF', 'WALLET shop RWF', '95'),
      leg('FLOAT platform RWF', 'FEE platform RWF', '5'),
    ]);
    const results = await Promise.allSettled([postAll(once), postAll(once), postAll(once)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(postAll(once)).rejects.toThrow('transfers_pkey');
    expect(await walletsOf('shop')).toEqual(['RWF 95']);
    await expectSoundBooks();
  });

  test('a second posting of one subject stands behind the first by its leg numbers', async () => {
    const first = posting([leg('FLOAT platform RWF', 'WALLET shop RWF', '95')]);
    const second = posting([leg('RECEIVABLE shop RWF', 'FLOAT platform RWF', '95')], {
      subject: first.subject,
      firstLegNo: 10,
    });
    await postAll(first);
    await postAll(second);
    const { rows } = await store.database.query(
      'select leg_no from transfers where subject_id = $1 order by leg_no',
      [first.subject.id],
    );
    expect(rows.map(({ leg_no: legNo }) => legNo)).toEqual([0, 10]);
  });

  test('all legs of a posting are written or none', async () => {
    const half = posting([
      leg('FLOAT platform RWF', 'WALLET shop RWF', '95'),
      leg('FLOAT platform RWF', 'WALLET shop RWF', '0'),
    ]);
    await expect(postAll(half)).rejects.toThrow('transfers_amount_positive');
    expect(await walletsOf('shop')).toEqual([]);
  });
});

describe('holds', () => {
  beforeEach(async () => {
    await postTable(`debit | credit | amount\n FLOAT platform RWF | WALLET shop RWF | 100`);
  });

  test('holds take from what is available, not from what is posted', async () => {
    await holdOf('60', '0.5');
    expect(await shopWallet()).toEqual({ posted: '100', held: '60.5' });
    const wallet = account('WALLET shop RWF');
    const funds = await inTransaction(store.database, (tx) => lockFunds(tx, [wallet, wallet]));
    const expected = { available: parseAmount('39.5'), owed: 0n, unheld: 0n, uncovered: 0n };
    expect([...funds]).toEqual([[accountId(wallet), expected]]);
    await expect(holdOf('39', '0.5001')).rejects.toThrow('wallets_available_not_negative');
    await expectSoundBooks();
  });

  test.each([
    ['POSTED', { posted: '39.5', held: '0' }],
    ['VOIDED', { posted: '100', held: '0' }],
  ] as const)(
    'holds end together as %s, once: a second end of either kind is refused and changes nothing',
    async (state, after) => {
      const held = await holdOf('60', '0.5');
      const other = await holdOf('1', '1');
      await settle(held, state);
      await expect(settle(held, 'POSTED')).rejects.toThrow('a pending transfer is missing');
      await expect(settle(held, 'VOIDED')).rejects.toThrow('a pending transfer is missing');
      expect(await shopWallet()).toEqual({ ...after, held: '2' });
      await settle(other, 'VOIDED');
      expect(await shopWallet()).toEqual(after);
      const { rows } = await store.database.query(
        'select distinct state, settled_at from transfers where subject_id = $1',
        [held.subject.id],
      );
      expect(rows).toEqual([{ state, settled_at: NOON }]);
      await expectSoundBooks();
    },
  );

  test('of ends at once, one is what happened', async () => {
    const held = await holdOf('60', '0.5');
    const ends = await Promise.allSettled(
      (['POSTED', 'VOIDED', 'POSTED', 'VOIDED'] as const).map((state) => settle(held, state)),
    );
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { posted, held: left } = await shopWallet();
    expect(['39.5', '100']).toContain(posted);
    expect(left).toBe('0');
    await expectSoundBooks();
  });

  test('a hold for what is owed that commits while the wallet is waited for is seen', async () => {
    const wallet = account('WALLET shop RWF');
    const setOwed = (owed: number) =>
      store.database.query('update wallets set owed = $2 where account_id = $1', [accountId(wallet), owed]);
    await setOwed(40);
    const holder = await store.database.connect();
    await holder.query('begin');
    expect([...(await lockFunds(holder, [wallet])).values()]).toMatchObject([
      { uncovered: parseAmount('40') },
    ]);
    const locking = inTransaction(store.database, (tx) => lockFunds(tx, [wallet]));
    await expect.poll(() => waitingCount()).toBe(1);
    const hold = {
      holdId: randomUUID(),
      accountId: accountId(wallet),
      merchantId: merchants['shop']!,
      kind: 'DEPOSIT',
      paymentId: randomUUID(),
      reason: 'CASE',
      evidence: 'LATE_FAILURE',
      caseNo: 1,
      wanted: parseAmount('40')!,
      amount: parseAmount('30')!,
      parts: 1,
      heldAt: NOON,
      releaseAt: null,
    } as const;
    await insertHolds(holder, [hold]);
    await holder.query('commit');
    holder.release();
    expect([...(await locking).values()]).toMatchObject([{ uncovered: parseAmount('10') }]);
    // As the books have it.
    await setOwed(0);
  });

  test('a wallet no one made has nothing available', async () => {
    const wallet = account('WALLET stall USD');
    expect(await inTransaction(store.database, (tx) => lockFunds(tx, [wallet]))).toEqual(new Map());
  });
});

/** How many transactions wait for another. */
async function waitingCount(): Promise<number> {
  const { rowCount } = await store.database.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount ?? 0;
}

describe('accounts', () => {
  test('accounts have identifiers that follow from their names alone, here and after a restore', () => {
    const wallet = account('WALLET shop RWF');
    expect(accountId(wallet)).toBe(accountId({ ...wallet }));
    const others = ['WALLET stall RWF', 'WALLET shop USD', 'RECEIVABLE shop RWF', 'FLOAT platform RWF'].map(
      account,
    );
    const ids = [wallet, ...others, { ...wallet, provider: 'X' }, { ...wallet, country: 'UGA' }].map(
      accountId,
    );
    expect(new Set(ids).size).toBe(7);
    const float: Account = { type: 'FLOAT', country: 'RWA', currency: 'RWF', provider: 'MTN_MOMO_RWA' };
    expect(accountId(float)).toBe('1d15810d-21bc-8f14-8367-cb4784c044eb');
  });

  test('accounts are made once, by however many at once and in whatever order', async () => {
    // Somebody is making the account that stands between the two others; both batches wait for it with one in hand.
    const [first, middle, last] = ['FLOAT platform', 'FEE platform', 'SUSPENSE platform'].map((name) =>
      account(`${name} X${randomUUID().slice(0, 4)}`),
    ) as [Account, Account, Account];
    const maker = await store.database.connect();
    await maker.query('begin');
    await ensureAccounts(maker, [middle]);
    const batches = [
      [first, middle, last],
      [last, middle, first],
    ].map((accounts) => inTransaction(store.database, (tx) => ensureAccounts(tx, accounts)));
    await expect.poll(() => waitingCount()).toBe(2);
    await maker.query('rollback');
    maker.release();
    await expect(Promise.all(batches)).resolves.toBeDefined();
  });
});

describe('a random run of postings and holds, many transactions at once', () => {
  type NamedLeg = { readonly debit: string; readonly credit: string; readonly amount: Amount };
  type Step =
    | { readonly type: 'POST'; readonly legs: readonly NamedLeg[] }
    | { readonly type: 'HOLD'; readonly legs: readonly NamedLeg[]; readonly end: 'POSTED' | 'VOIDED' | null };

  const WALLETS = ['WALLET shop RWF', 'WALLET stall RWF', 'WALLET shop USD', 'WALLET stall USD'];
  const PLATFORM = ['FLOAT platform', 'FEE platform', 'CLEARING platform', 'SUSPENSE platform'];

  /** A leg into a wallet, out of one, or from one to another of the same currency. */
  const arbitraryLeg = (...directions: readonly ('IN' | 'OUT' | 'ACROSS')[]): fc.Arbitrary<NamedLeg> =>
    fc
      .record({
        wallet: fc.constantFrom(...WALLETS),
        platform: fc.constantFrom(...PLATFORM),
        direction: fc.constantFrom(...directions),
        amount: fc.bigInt({ min: 1n, max: 500_000n }),
      })
      .map(({ wallet, platform, direction, amount }) => {
        const currency = wallet.slice(-3);
        const other = `WALLET ${wallet.includes('shop') ? 'stall' : 'shop'} ${currency}`;
        if (direction === 'ACROSS') return { debit: wallet, credit: other, amount };
        const [debit, credit] = [`${platform} ${currency}`, wallet];
        return direction === 'IN' ? { debit, credit, amount } : { debit: credit, credit: debit, amount };
      });

  const length = { minLength: 1, maxLength: 4 };
  const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      type: fc.constant('POST' as const),
      legs: fc.array(arbitraryLeg('IN', 'IN', 'IN', 'OUT', 'ACROSS'), length),
    }),
    fc.record({
      type: fc.constant('HOLD' as const),
      legs: fc.array(arbitraryLeg('OUT'), length),
      end: fc.constantFrom('POSTED', 'VOIDED', null),
    }),
  );

  /** Does a step. Answers the legs that have moved money in the end. */
  async function run(step: Step): Promise<readonly NamedLeg[]> {
    const legs = step.legs.map(({ debit, credit, amount }) => ({
      debit: account(debit),
      credit: account(credit),
      amount,
    }));
    const one = posting(legs);
    if (step.type === 'POST') {
      await postAll(one);
      return step.legs;
    }
    await inTransaction(store.database, async (tx) => {
      await ensureAccounts(tx, accountsOf([one]));
      await book(tx, { held: [one] }, NOON);
    });
    if (step.end !== null) await settle(one, step.end);
    return step.end === 'POSTED' ? step.legs : [];
  }

  test('a random run of postings and holds, many transactions at once, leaves every wallet equal to the sum of its transfers and of what was done, and none below zero', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryStep, { minLength: 12, maxLength: 30 }), async (steps) => {
        merchants = { shop: await addMerchant(store), stall: await addMerchant(store) };
        const results = await Promise.allSettled(steps.map(run));
        const refusals = results.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
        // A wallet that cannot pay is the only reason to fail: no deadlock, no lost update.
        for (const refusal of refusals) expect(refusal).toContain('wallets_available_not_negative');
        const balances = new Map<string, Amount>();
        for (const { debit, credit, amount } of results.flatMap((one) =>
          one.status === 'fulfilled' ? one.value : [],
        )) {
          balances.set(debit, (balances.get(debit) ?? 0n) - amount);
          balances.set(credit, (balances.get(credit) ?? 0n) + amount);
        }
        await expectSoundBooks();
        for (const owner of ['shop', 'stall']) {
          for (const { currency, posted, held } of await listWallets(store.database, merchants[owner]!)) {
            expect(posted).toBe(balances.get(`WALLET ${owner} ${currency}`) ?? 0n);
            expect(posted - held).toBeGreaterThanOrEqual(0n);
          }
        }
      }),
      // Transactions at once are not repeatable, so there is nothing to shrink.
      { numRuns: 12, endOnFailure: true },
    );
  });
});
