// Checks the books: in themselves, payment by payment, and against the operator's.
import type { Database } from '../../../server/src/store/database.ts';
import type { Amount } from '../../../server/src/domain/money.ts';
import type { BookedCharge } from './operator-books.ts';
import { amountOf, nameOf, type PaymentRow } from './payment-rows.ts';

export type LedgerFinding = { readonly subject: string; readonly what: string };

export async function readLedger(
  database: Database,
  facts: { readonly payments: readonly PaymentRow[]; readonly charges: readonly BookedCharge[] },
): Promise<readonly LedgerFinding[]> {
  return [
    ...(await findUnevenCurrencies(database)),
    ...(await findWrongWallets(database)),
    ...(await findWrongPostings(database, facts.payments)),
    ...(await findWrongFloats(database, facts)),
  ];
}

/** Credits and debits of a currency are not equal, or a transfer is between two currencies. */
async function findUnevenCurrencies(database: Database): Promise<readonly LedgerFinding[]> {
  const { rows } = await database.query<{ currency: string; total: string }>(
    `select currency, sum(moved)::text as total from (
       select a.currency, t.amount as moved from transfers t join accounts a on a.account_id = t.credit_account_id
       where t.state = 'POSTED'
       union all
       select a.currency, -t.amount from transfers t join accounts a on a.account_id = t.debit_account_id
       where t.state = 'POSTED'
     ) legs group by currency having sum(moved) <> 0`,
  );
  return rows.map(({ currency, total }) => ({ subject: currency, what: `the books add up to ${total}` }));
}

/** A wallet has what its transfers say, reserves what is pending, and is never negative. */
async function findWrongWallets(database: Database): Promise<readonly LedgerFinding[]> {
  const { rows } = await database.query<{ wallet: string; what: string }>(
    `select w.account_id as wallet,
            format('posted %s of %s, held %s of %s', w.posted, s.posted, w.held, s.held) as what
     from wallets w cross join lateral (
       select coalesce(sum(case when t.state = 'POSTED' and t.credit_account_id = w.account_id then t.amount
                                when t.state = 'POSTED' then -t.amount end), 0) as posted,
              coalesce(sum(t.amount) filter (where t.state = 'PENDING'), 0) as held
       from transfers t where w.account_id in (t.credit_account_id, t.debit_account_id)
     ) s
     where w.posted <> s.posted or w.held <> s.held or w.posted - w.held < 0`,
  );
  return rows.map(({ wallet, what }) => ({ subject: `wallet ${wallet}`, what }));
}

type Posted = { readonly state: string; readonly total: string };

/** Completed: its money and fee are posted. Failed: nothing is. Open: an outgoing payment reserves both. */
async function findWrongPostings(
  database: Database,
  payments: readonly PaymentRow[],
): Promise<readonly LedgerFinding[]> {
  const { rows } = await database.query<Posted & { name: string }>(
    `select t.subject_kind || ' ' || p.payment_id as name, t.state::text, sum(t.amount)::text as total
     from transfers t join payments p on p.payment_no = t.subject_id
     where template in (${OWN_TEMPLATES}) group by 1, 2`,
  );
  const posted = Map.groupBy(rows, ({ name }) => name);
  return payments.flatMap((payment) => {
    const expected = expectedPostings(payment);
    const found = (posted.get(nameOf(payment)) ?? []).map(
      ({ state, total }) => `${state} ${amountOf(total)}`,
    );
    if (found.toSorted().join() === expected.toSorted().join()) return [];
    return [
      {
        subject: nameOf(payment),
        what: `${payment.state}: booked ${found.join()}, expected ${expected.join()}`,
      },
    ];
  });
}

/** Postings of a case come on top of a payment's own. */
const OWN_TEMPLATES = `'SETTLE', 'OUTGOING'`;

function expectedPostings({ kind, state, amount, fee }: PaymentRow): readonly string[] {
  const isDeposit = kind === 'DEPOSIT';
  const whole = amountOf(amount) + (isDeposit ? 0n : amountOf(fee));
  switch (state) {
    case 'COMPLETED':
      return [`POSTED ${whole}`];
    case 'FAILED':
      return isDeposit ? [] : [`VOIDED ${whole}`];
    default:
      return isDeposit ? [] : [`PENDING ${whole}`];
  }
}

/** Our float at each operator is what the operator received and sent, except for what could not be posted yet. */
async function findWrongFloats(
  database: Database,
  { payments, charges }: { payments: readonly PaymentRow[]; charges: readonly BookedCharge[] },
): Promise<readonly LedgerFinding[]> {
  const unposted = new Set(payments.filter(isUnposted).map((one) => one.reference));
  const disputed = new Map(payments.filter(isDisputed).map((one) => [one.reference, one.amount]));
  const expected = new Map<string, Amount>();
  for (const { status, askedAs, provider, currency, operation, ...charge } of charges) {
    if (status !== 'SUCCESSFUL' || unposted.has(askedAs)) continue;
    const amount = disputed.get(askedAs) ?? charge.amount;
    const place = `${provider} ${currency}`;
    const moved = operation === 'DEPOSIT' ? amountOf(amount) : -amountOf(amount);
    expected.set(place, (expected.get(place) ?? 0n) + moved);
  }
  const { rows } = await database.query<{ place: string; total: string }>(
    `select a.provider || ' ' || a.currency as place,
            sum(case when t.debit_account_id = a.account_id then t.amount else -t.amount end)::text as total
     from accounts a join transfers t on a.account_id in (t.debit_account_id, t.credit_account_id)
     where a.type = 'FLOAT' and t.state = 'POSTED' group by 1`,
  );
  const booked = new Map(rows.map(({ place, total }) => [place, signedAmountOf(total)]));
  return [...new Set([...expected.keys(), ...booked.keys()])].flatMap((place) => {
    const [ours, theirs] = [booked.get(place) ?? 0n, expected.get(place) ?? 0n];
    if (ours === theirs) return [];
    return [{ subject: `float ${place}`, what: `ours ${ours}, the operator's ${theirs} (ten-thousandths)` }];
  });
}

/** Its end is open, or the operator moved another amount than requested, and a case is open. */
function isUnposted({ state, evidences }: PaymentRow): boolean {
  return state === 'IN_RECONCILIATION' || (state === 'FAILED' && evidences.includes('DISCREPANCY'));
}

/** We posted what we requested, and an open case waits for the rest. */
function isDisputed({ state, evidences }: PaymentRow): boolean {
  return state === 'COMPLETED' && evidences.includes('DISCREPANCY');
}

function signedAmountOf(text: string): Amount {
  return text.startsWith('-') ? -amountOf(text.slice(1)) : amountOf(text);
}
