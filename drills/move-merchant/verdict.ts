// The verdict: each cell is checked like a gateway in the chaos run, and nothing may be in both.
import { checkRun, type Finding } from '../kit/verdict/verdict.ts';
import type { Acknowledged } from '../kit/load/load.ts';
import { readOperatorBooks } from '../kit/verdict/operator-books.ts';
import { nameOf, readPayments } from '../kit/verdict/payment-rows.ts';
import type { Setup } from './setup.ts';

export type MovingVerdict = { readonly payments: number; readonly findings: readonly Finding[] };

/** `livesIn`: the cell of each merchant, in order. */
export async function checkCells(
  setup: Setup,
  acknowledged: readonly Acknowledged[],
  livesIn: readonly number[],
): Promise<MovingVerdict> {
  const databases = setup.admins.map(({ engine }) => engine.store.database);
  const rows = await Promise.all(databases.map((one) => readPayments(one)));
  const charges = readOperatorBooks(setup.scratch);
  const findings: Finding[] = [];
  for (const [cell, database] of databases.entries()) {
    const references = new Set(rows[cell]?.map(({ reference }) => reference));
    const merchants = setup.merchants.filter((_merchant, index) => livesIn[index] === cell);
    const verdict = await checkRun({
      database,
      merchants,
      acknowledged: acknowledged.filter(({ merchantId }) =>
        merchants.some((merchant) => merchant.merchantId === merchantId),
      ),
      charges: charges.filter(({ askedAs }) => references.has(askedAs)),
    });
    findings.push(...verdict.findings);
  }
  return {
    payments: rows.flat().length,
    findings: [...findings, ...findInBoth(rows), ...findStrays(rows, charges)],
  };
}

type Rows = readonly Awaited<ReturnType<typeof readPayments>>[];

export function findInBoth(rows: Rows): readonly Finding[] {
  const [first = [], second = []] = rows;
  const names = new Set(first.map(nameOf));
  return second
    .filter((payment) => names.has(nameOf(payment)))
    .map((payment) => ({ type: 'DOUBLED', subject: nameOf(payment), what: 'is in both cells' }));
}

/** Money that moved under a reference that neither cell knows. */
export function findStrays(rows: Rows, charges: ReturnType<typeof readOperatorBooks>): readonly Finding[] {
  const known = new Set(rows.flat().map(({ reference }) => reference));
  return charges
    .filter(({ askedAs, status }) => status !== 'FAILED' && !known.has(askedAs))
    .map(({ reference }) => ({ type: 'DOUBLED', subject: reference, what: 'charged, and in no cell' }));
}
