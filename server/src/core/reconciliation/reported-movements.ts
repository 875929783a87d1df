// Lines of an operator's report that are not about payments: float top-ups, withdrawals and charges. In production each
// is requested and a second approver approves it; a line that was posted already agrees.
import { findProvider } from '../../domain/operators/catalogue.ts';
import { reportedAmount, type FloatMovement } from '../../domain/ledger/float-movement.ts';
import { parseReference } from '../../domain/ledger/money-reference.ts';
import type { Finding } from '../../domain/reconciliation/operator-report.ts';
import type { Found, KeptLine } from '../../store/reconciliation/operator-reports.ts';
import type { Ordered } from '../approvals/request.ts';
import { findCloseAccount } from '../../store/daily-close/closes.ts';
import type { Tx } from '../../store/database.ts';
import { askOtherCells, describeSilence } from '../cells/ask-other-cells.ts';
import { accountSharing } from '../operators/shared-account.ts';
import type { Engine } from '../engine.ts';
import { orderFloats, type FloatAnswer } from '../ledger/move-float.ts';

export async function orderReported(
  engine: Engine,
  order: Ordered & {
    readonly provider: string;
    readonly mappingBy?: readonly string[] | undefined;
    readonly reportId: string;
  },
  lines: readonly KeptLine[],
): Promise<readonly Found[]> {
  const movements = lines.map((kept) => movementOf(order.provider, kept));
  const elsewhere = await listClosedElsewhere(engine, order.provider, movements);
  const isElsewhere = (movement: FloatMovement) => elsewhere.has(movement.currency);
  const ordered = movements
    .filter((movement) => movement !== null)
    .filter((movement) => !isElsewhere(movement));
  const lineHashes = new Map(lines.map(({ hash }, index) => [movements[index], hash]));
  const answers = await orderFloats(
    engine,
    order,
    ordered.map((movement) => ({ movement, lineHash: lineHashes.get(movement) })),
  );
  const findings = new Map(
    ordered.flatMap((movement, index) => {
      const answer = answers[index];
      return answer === undefined ? [] : [[movement, findingOf(answer)] as const];
    }),
  );
  return lines.map(({ hash }, index) => {
    const movement = movements[index] ?? null;
    if (movement === null) return { hash, key: null, finding: 'UNKNOWN' };
    const finding = isElsewhere(movement) ? 'OTHER_CELL' : (findings.get(movement) ?? 'UNKNOWN');
    return { hash, key: null, finding };
  });
}

/**
 * The currencies of movements whose account has its days closed in another cell, and not in this one: there they are
 * imported and posted, beside the day that they belong to. Throws where another cell does not answer.
 */
async function listClosedElsewhere(
  engine: Engine,
  provider: string,
  movements: readonly (FloatMovement | null)[],
): Promise<ReadonlySet<string>> {
  const currencies = new Set(movements.flatMap((movement) => movement?.currency ?? []));
  if (currencies.size === 0 || engine.cells.length === 1) return new Set();
  const isClosedIn = async (cell: Tx, currency: string) =>
    (await findCloseAccount(cell, { provider, currency })) !== null;
  const open: string[] = [];
  for (const currency of currencies)
    if (!(await isClosedIn(engine.store.database, currency))) open.push(currency);
  if (open.length === 0) return new Set();
  const isShared = await accountSharing(engine, provider);
  const asked = await askOtherCells(engine, async (cell) => {
    if (!(await isShared(cell))) return [];
    const closed = await Promise.all(open.map((currency) => isClosedIn(cell, currency)));
    return open.filter((_, index) => closed[index] === true);
  });
  if (asked.type === 'CELL_SILENT') throw new Error(describeSilence(asked));
  return new Set(asked.answers.flatMap(({ answer }) => answer));
}

/** Throws where another cell does not answer: the import is cut off, and goes on when the file is imported again. */
function findingOf(answer: FloatAnswer): Finding {
  switch (answer.type) {
    case 'CELL_SILENT':
      throw new Error(describeSilence(answer));
    case 'DONE':
      return 'APPLIED';
    case 'REQUESTED':
    case 'REFERENCE_REQUESTED':
      return 'REQUESTED';
    case 'REFERENCE_POSTED':
      return 'AGREES';
    case 'REFERENCE_TAKEN':
      return 'MISMATCHED';
  }
}

/** Null for a currency in which we have no account there. */
function movementOf(provider: string, { line }: KeptLine): FloatMovement | null {
  const known = findProvider(provider);
  const { movement: type, direction, currency, providerTransactionId = '' } = line;
  const reference = parseReference(providerTransactionId);
  const amount = type === undefined ? null : reportedAmount(type, direction, line.amount);
  const isOurs = known?.currencies.some((one) => one.currency === currency) === true;
  if (known === null || !isOurs || type === undefined || reference === null || amount === null) return null;
  return { type, provider, country: known.country, currency, amount, reference };
}
