// Lines of an operator's report that are not about payments: float top-ups, withdrawals and charges. They wait for the
// approval of their report like all other lines, because a request for each would let one file bury everything else
// that waits for people. A line that was posted already agrees.
import { findProvider } from '../../domain/operators/catalogue.ts';
import { reportedAmount, type FloatMovement } from '../../domain/ledger/float-movement.ts';
import { parseReference } from '../../domain/ledger/money-reference.ts';
import type { Finding } from '../../domain/reconciliation/operator-report.ts';
import type { Found, KeptLine } from '../../store/reconciliation/operator-reports.ts';
import { findCloseAccount } from '../../store/daily-close/closes.ts';
import type { Tx } from '../../store/database.ts';
import { askOtherCells, describeSilence } from '../cells/ask-other-cells.ts';
import { accountSharing } from '../operators/shared-account.ts';
import type { Engine } from '../engine.ts';
import { findMovementUses, postReported, type FloatAnswer } from '../ledger/move-float.ts';
import { mark, type Comparing } from './mark-lines.ts';

/** Not about a payment. */
export function isMovement({ line }: KeptLine): boolean {
  return line.movement !== undefined;
}

/** Notes what each line would post, and posts nothing. Answers what was found. */
export async function proposeMovements(
  engine: Engine,
  comparing: Comparing,
  lines: readonly KeptLine[],
): Promise<readonly Found[]> {
  const { found, movements } = await sortMovements(engine, comparing, lines);
  const uses = await findMovementUses(
    engine,
    movements.map(({ movement }) => movement),
  );
  const proposed = movements.map(({ hash, movement }): Found => {
    const use = uses.get(movement);
    if (use === undefined) return { hash, key: null, finding: 'TO_APPROVE', effect: movement.type };
    return { hash, key: null, finding: findingOf(use) };
  });
  const all = [...found, ...proposed];
  await mark(engine, comparing, all);
  return all;
}

/** How many lines are noted as posted together: what a crash leaves unnoted agrees when it is compared again. */
const MARKED_AT_ONCE = 100;

/**
 * Posts what each line says, in a transaction of its own: one that cannot be posted keeps none of the others, and
 * waits where it waited. A line whose reference was posted meanwhile posts nothing.
 */
export async function postMovements(
  engine: Engine,
  comparing: Comparing & { readonly by: string },
  lines: readonly KeptLine[],
): Promise<void> {
  const { by, onError } = comparing;
  const { found, movements } = await sortMovements(engine, comparing, lines);
  await mark(engine, comparing, found);
  for (let first = 0; first < movements.length; first += MARKED_AT_ONCE) {
    const posted: Found[] = [];
    for (const { hash, movement } of movements.slice(first, first + MARKED_AT_ONCE)) {
      try {
        const answer = await postReported(engine, { movement, lineHash: hash, by });
        posted.push({ hash, key: null, finding: findingOf(answer) });
      } catch (error) {
        onError(error);
      }
    }
    await mark(engine, comparing, posted);
  }
}

type Sorted = {
  /** Lines that are decided on sight. */
  readonly found: readonly Found[];
  readonly movements: readonly { readonly hash: Buffer; readonly movement: FloatMovement }[];
};

async function sortMovements(
  engine: Engine,
  { provider }: Comparing,
  lines: readonly KeptLine[],
): Promise<Sorted> {
  const read = lines.map((kept) => ({ hash: kept.hash, movement: movementOf(provider, kept) }));
  const elsewhere = await listClosedElsewhere(
    engine,
    provider,
    read.map(({ movement }) => movement),
  );
  const found: Found[] = [];
  const movements: { readonly hash: Buffer; readonly movement: FloatMovement }[] = [];
  for (const { hash, movement } of read) {
    if (movement === null) found.push({ hash, key: null, finding: 'UNKNOWN' });
    else if (elsewhere.has(movement.currency)) found.push({ hash, key: null, finding: 'OTHER_CELL' });
    else movements.push({ hash, movement });
  }
  return { found, movements };
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

/** Throws where another cell does not answer: the line keeps what was found of it before. */
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
