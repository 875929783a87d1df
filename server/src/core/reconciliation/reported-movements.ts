// Lines of an operator's report that are not about payments: float top-ups, withdrawals and charges. In production each
// is requested and a second approver approves it; a line that was posted already agrees.
import { findProvider } from '../../domain/operators/catalogue.ts';
import { reportedAmount, type FloatMovement } from '../../domain/ledger/float-movement.ts';
import { parseReference } from '../../domain/ledger/money-reference.ts';
import type { Finding } from '../../domain/reconciliation/operator-report.ts';
import type { Found, KeptLine } from '../../store/reconciliation/operator-reports.ts';
import type { Ordered } from '../approvals/request.ts';
import { describeSilence } from '../cells/ask-other-cells.ts';
import type { Engine } from '../engine.ts';
import { orderFloats, type FloatAnswer } from '../ledger/move-float.ts';

export async function orderReported(
  engine: Engine,
  order: Ordered & { readonly provider: string; readonly mappingBy?: string | undefined },
  lines: readonly KeptLine[],
): Promise<readonly Found[]> {
  const movements = lines.map((kept) => movementOf(order.provider, kept));
  const ordered = movements.filter((movement) => movement !== null);
  const answers = await orderFloats(engine, order, ordered);
  const findings = new Map(
    ordered.flatMap((movement, index) => {
      const answer = answers[index];
      return answer === undefined ? [] : [[movement, findingOf(answer)] as const];
    }),
  );
  return lines.map(({ hash }, index) => {
    const movement = movements[index] ?? null;
    const finding = movement === null ? 'UNKNOWN' : (findings.get(movement) ?? 'UNKNOWN');
    return { hash, key: null, finding };
  });
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
