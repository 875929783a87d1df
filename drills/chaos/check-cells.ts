// The verdict over both cells: each is checked like one alone, nothing is in both, a reference of the bank moved money
// once, and every settlement that was acknowledged is there as it was acknowledged, with one transfer.
import { parseAmount } from '../../server/src/domain/money.ts';
import type { Database } from '../../server/src/store/database.ts';
import { livesHere } from '../../server/src/store/cells/migration-locks.ts';
import type { Acknowledged } from '../kit/load/load.ts';
import type { BookedCharge } from '../kit/verdict/operator-books.ts';
import { readPayments } from '../kit/verdict/payment-rows.ts';
import { checkRun, type Finding, type Verdict } from '../kit/verdict/verdict.ts';
import { findInBoth, findStrays } from '../move-merchant/verdict.ts';
import type { AcknowledgedSettlement, People } from './people.ts';
import { enginesOf } from './settle.ts';
import type { Setup } from './setup.ts';

export async function checkCells(
  setup: Setup,
  evidence: {
    readonly acknowledged: readonly Acknowledged[];
    readonly charges: readonly BookedCharge[];
    readonly isPaidIfSent: boolean;
  },
): Promise<Verdict> {
  const { second, people } = setup;
  const databases = enginesOf(setup).map(({ store }) => store.database);
  const merchants = [...setup.merchants, ...(second?.merchants ?? [])];
  if (second === null || people === null)
    return checkRun({ ...evidence, database: setup.admin.engine.store.database, merchants });
  const rows = await Promise.all(databases.map((one) => readPayments(one)));
  const findings: Finding[] = [];
  const verdicts: Verdict[] = [];
  for (const [cell, database] of databases.entries()) {
    const references = new Set(rows[cell]?.map(({ reference }) => reference));
    const here = await listLivingHere(database);
    const living = merchants.filter(({ merchantId }) => here.has(merchantId));
    const verdict = await checkRun({
      ...evidence,
      database,
      merchants: living,
      acknowledged: evidence.acknowledged.filter(({ merchantId }) => here.has(merchantId)),
      charges: evidence.charges.filter(({ askedAs }) => references.has(askedAs)),
    });
    verdicts.push(verdict);
    findings.push(...verdict.findings, ...(await findUnmade(database)));
  }
  findings.push(
    ...findInBoth(rows),
    ...findStrays(rows, evidence.charges),
    ...(await findPostedTwice(databases)),
    ...(await findWrongSettlements(databases, people)),
    ...(await findWrongFiles(setup, people)),
  );
  return {
    payments: rows.flat().length,
    findings,
    states: Object.fromEntries(verdicts.map(({ states }, cell) => [`cell ${cell + 1}`, states])),
  };
}

async function listLivingHere(database: Database): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ id: string }>(
    `select merchant_id as id from merchants where ${livesHere('merchants')}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** What follows from a fact of an operator, and is still missing when all is calm. */
async function findUnmade(database: Database): Promise<readonly Finding[]> {
  const { rows } = await database.query<{ kind: string; id: string; type: string; error: string }>(
    'select kind::text, payment_id as id, type, error from missing_follow_ups',
  );
  return rows.map(({ kind, id, type, error }) => ({
    type: 'LOST',
    subject: `${kind} ${id}`,
    what: `its ${type} was not made: ${error}`,
  }));
}

type Posted = { readonly name: string; readonly transferId: string };

/** A moved merchant leaves a trace of what it posted: the same transfer. */
async function findPostedTwice(databases: readonly Database[]): Promise<readonly Finding[]> {
  const found = await Promise.all(
    databases.map((one) =>
      one.query<Posted>(
        `select source || ' ' || reference as name, transfer_id as "transferId" from posted_references`,
      ),
    ),
  );
  const posted = found.flatMap(({ rows }) => rows);
  return [...Map.groupBy(posted, ({ name }) => name)].flatMap(([name, some]) => {
    const transfers = new Set(some.map(({ transferId }) => transferId));
    if (transfers.size === 1) return [];
    return [{ type: 'DOUBLED', subject: name, what: `moved money ${transfers.size} times` } as const];
  });
}

type Settled = {
  readonly merchantId: string;
  readonly requestId: string;
  readonly settlementId: string;
  readonly amount: string;
  readonly status: string;
  readonly transfers: string[];
};

const STATES: Readonly<Record<string, string>> = { REQUESTED: 'PENDING', PAID: 'POSTED', REJECTED: 'VOIDED' };

async function findWrongSettlements(
  databases: readonly Database[],
  { acknowledged, unanswered }: Pick<People, 'acknowledged' | 'unanswered'>,
): Promise<readonly Finding[]> {
  const cells = await Promise.all(databases.map(readSettled));
  const byId = Map.groupBy(cells.flat(), ({ settlementId }) => settlementId);
  const twice = [...Map.groupBy(acknowledged, ({ merchantId, requestId }) => `${merchantId} ${requestId}`)]
    .filter(([, some]) => new Set(some.map(({ settlementId }) => settlementId)).size > 1)
    .map(([name]): Finding => ({ type: 'DOUBLED', subject: name, what: 'one request, two settlements' }));
  return [
    ...unanswered.map((what): Finding => ({
      type: 'LOST',
      subject: 'a request',
      what: `never answered: ${what}`,
    })),
    ...twice,
    ...acknowledged.flatMap((one) => findLostSettlement(one, byId.get(one.settlementId) ?? [])),
    ...[...byId.values()].flatMap(findWrongTransfers),
  ];
}

function findLostSettlement(one: AcknowledgedSettlement, found: readonly Settled[]): readonly Finding[] {
  const isThere = found.some(
    ({ merchantId, requestId, amount }) =>
      merchantId === one.merchantId && requestId === one.requestId && parseAmount(amount) === one.amount,
  );
  if (isThere) return [];
  return [{ type: 'LOST', subject: `settlement ${one.settlementId}`, what: 'acknowledged, and not there' }];
}

function findWrongTransfers(found: readonly Settled[]): readonly Finding[] {
  const [settled, ...others] = found;
  if (settled === undefined) return [];
  const { settlementId, amount, status, transfers } = settled;
  const subject = `settlement ${settlementId}`;
  if (others.length > 0) return [{ type: 'DOUBLED', subject, what: 'is in both cells' }];
  const expected = `${STATES[status] ?? ''} ${amount}`;
  if (transfers.length === 1 && transfers[0] === expected) return [];
  return [{ type: 'UNBALANCED', subject, what: `booked ${transfers.join()}, expected ${expected}` }];
}

async function readSettled(database: Database): Promise<readonly Settled[]> {
  const { rows } = await database.query<Settled>(
    `select s.merchant_id as "merchantId", s.request_id as "requestId", s.settlement_id as "settlementId",
       trim_scale(s.amount)::text as amount, s.status, array(
         select t.state || ' ' || trim_scale(t.amount) from transfers t
         where t.subject_id = s.settlement_id and t.subject_kind = 'SETTLEMENT') as transfers
     from settlements s where ${livesHere('s')}`,
  );
  return rows;
}

/** Lines of a voided report that count, and payments that the corrected one does not count exactly once. */
async function findWrongFiles(
  setup: Setup,
  { voidedReports }: Pick<People, 'voidedReports'>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { store, home } of enginesOf(setup)) {
    const here = voidedReports.filter((one) => one.home === home);
    const { rows } = await store.database.query<{ subject: string; what: string }>(
      `select 'report ' || v.wrong as subject, 'is voided, and a line of it counts or holds money' as what
       from unnest($1::uuid[], $2::uuid[]) as v (wrong, correct)
       where exists (select from operator_report_lines l
           where l.report_id = v.wrong and (not l.voided or l.hold_id is not null or l.finding = 'TO_APPROVE'))
         or not exists (select from operator_reports r where r.report_id = v.wrong and r.voided_at is not null)
       union all
       select 'report ' || v.correct,
         'is corrected, and ' || l.payment_id || ' counts ' || count(o.line_hash) || ' times'
       from unnest($1::uuid[], $2::uuid[]) as v (wrong, correct)
         join operator_report_lines l on l.report_id = v.correct
         left join operator_report_lines o
           on (o.merchant_id, o.kind, o.payment_id) = (l.merchant_id, l.kind, l.payment_id)
           and o.counts and not o.voided
       group by v.correct, l.payment_id having count(o.line_hash) <> 1`,
      [here.map(({ wrong }) => wrong), here.map(({ right }) => right)],
    );
    findings.push(...rows.map((row) => ({ type: 'UNBALANCED', ...row }) as const));
  }
  return findings;
}
