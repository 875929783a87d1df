// What moved a wallet, in the order of time. A movement counts from when it was posted: what was held before counts at
// its settlement, everything else at its making.
import type { Amount } from '../domain/money.ts';
import type { Movement } from '../domain/wallet-statement.ts';
import type { Tx } from './database.ts';
import { amountOfNumeric } from './rows.ts';

/** From the first time on, before the second; without it, up to everything the transaction sees. */
export type WalletSpan = { readonly accountId: string; readonly from: Date; readonly until: Date | null };

/** Rows of one fetch: a page of payments is opened at once, and no more than this is in memory. */
const FETCHED_AT_ONCE = 500;

const SELECTED = 'subject_kind, subject_id, leg_no, template';

/** Only what a wallet pays is ever held. Three ranges of three indexes, each in the order of time. */
const LEGS = `
  select created_at as at, ${SELECTED}, amount as change from transfers
  where credit_account_id = $1 and created_at >= $2 and created_at < $3 and state = 'POSTED'
  union all
  select created_at, ${SELECTED}, -amount from transfers
  where debit_account_id = $1 and created_at >= $2 and created_at < $3 and state = 'POSTED' and settled_at is null
  union all
  select settled_at, ${SELECTED}, -amount from transfers
  where debit_account_id = $1 and settled_at >= $2 and settled_at < $3 and state = 'POSTED'`;

/** What a wallet gained in a span of time. */
export async function sumMovements(tx: Tx, span: WalletSpan): Promise<Amount> {
  const { rows } = await tx.query<{ change: string }>(
    `select coalesce(sum(change), 0) as change from (${LEGS}) legs`,
    valuesOf(span),
  );
  return amountOfNumeric(rows[0]?.change ?? '0');
}

/** What is posted in a wallet. One that nobody made has nothing. */
export async function readPosted(tx: Tx, accountId: string): Promise<Amount> {
  const { rows } = await tx.query<{ posted: string }>('select posted from wallets where account_id = $1', [
    accountId,
  ]);
  return amountOfNumeric(rows[0]?.posted ?? '0');
}

type LegRow = {
  at: Date;
  subject_kind: string;
  subject_id: string;
  posting_no: number;
  template: string;
  change: string;
};

/** Page by page, from a cursor: the transaction must last as long as the reading. Legs of one posting are one. */
export async function* readMovements(tx: Tx, span: WalletSpan): AsyncGenerator<readonly Movement[]> {
  await tx.query(
    `declare movements no scroll cursor for
     select at, subject_kind, subject_id, leg_no / 10 as posting_no, template, change from (${LEGS}) legs
     order by at, subject_kind, subject_id, leg_no`,
    valuesOf(span),
  );
  let last: Movement | undefined;
  for (;;) {
    const { rows } = await tx.query<LegRow>(`fetch ${FETCHED_AT_ONCE} from movements`);
    const page: Movement[] = [];
    for (const leg of rows.map(movementOf)) {
      if (last !== undefined && isSamePosting(last, leg)) last = { ...last, net: last.net + leg.net };
      else {
        if (last !== undefined) page.push(last);
        last = leg;
      }
    }
    if (rows.length < FETCHED_AT_ONCE) {
      await tx.query('close movements');
      yield last === undefined ? page : [...page, last];
      return;
    }
    yield page;
  }
}

function valuesOf({ accountId, from, until }: WalletSpan): unknown[] {
  return [accountId, from, until ?? 'infinity'];
}

function movementOf(row: LegRow): Movement {
  return {
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    postingNo: row.posting_no,
    template: row.template,
    at: row.at,
    net: amountOfNumeric(row.change),
  };
}

/** A subject's postings have ten numbers each for their legs. */
function isSamePosting(a: Movement, b: Movement): boolean {
  return a.subjectKind === b.subjectKind && a.subjectId === b.subjectId && a.postingNo === b.postingNo;
}
