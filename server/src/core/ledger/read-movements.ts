// What moved a wallet, with the payment and the fee behind each movement.
import type { Amount } from '../../domain/money.ts';
import type { StatementWallet } from '../../domain/wallet-statement.ts';
import { accountId } from '../../store/ledger/wallet-funds.ts';
import { listMovements, type MovementPage, type PaidMovement } from '../../store/ledger/movement-pages.ts';
import { COMMITS_WITHIN_MS } from '../../store/database.ts';
import type { Engine } from '../engine.ts';
import { requireStillHere } from '../cells/cell-assignments.ts';
import { addMs } from '../../domain/time.ts';

export type ShownMovement = PaidMovement & {
  /** DEPOSIT, TOP_UP, CREDIT_MERCHANT … */
  readonly type: string;
  /** `net` = `amount` − `fee`. Below zero for what the wallet pays. */
  readonly amount: Amount;
  readonly fee: Amount;
  /** The balance before it, where nothing that is still being committed can change that. */
  readonly settledBefore: Amount | null;
};

/** The newest first. A wallet that no one made has none. */
export async function readMovements(
  engine: Pick<Engine, 'cellAssignments' | 'clock' | 'store'>,
  { wallet, ...page }: Omit<MovementPage, 'accountId'> & { readonly wallet: StatementWallet },
): Promise<readonly ShownMovement[]> {
  const walletId = accountId({ type: 'WALLET', merchantId: page.merchantId, ...wallet });
  const settledUntil = addMs(await engine.clock.timeOf(engine.store.database), -COMMITS_WITHIN_MS);
  const movements = await listMovements(engine.store.database, { ...page, accountId: walletId });
  await requireStillHere(engine.cellAssignments, page.merchantId);
  return movements.map((movement) => shown(movement, settledUntil));
}

/** Only a payment's own movement has its fee; what cases move later has none. */
function shown(movement: PaidMovement, settledUntil: Date): ShownMovement {
  const { postingNo, payment, net, balance, subjectKind, template } = movement;
  const isOwn = postingNo === 0;
  const fee = isOwn ? (payment?.fee ?? 0n) : 0n;
  const settledBefore = movement.at < settledUntil ? balance - net : null;
  return { ...movement, type: isOwn ? subjectKind : template, amount: net + fee, fee, settledBefore };
}
