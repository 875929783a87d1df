// Two colleagues who move money while payments run: one requests each movement and the other decides.
import { parseAmount, type Amount } from '../../server/src/domain/money.ts';
import {
  MONEY_MOVEMENT_TYPES,
  type MoneyMovementType,
} from '../../server/src/domain/ledger/money-movement.ts';
import type { Random } from '../kit/random.ts';
import type { Colleague } from './colleague.ts';

/** The movements, as recorded by the people who made them. */
export type MoneyMove = {
  readonly type: MoneyMovementType;
  readonly country: string;
  readonly currency: string;
  readonly amount: Amount;
};

export type MoneyMoves = {
  readonly moved: readonly MoneyMove[];
  readonly rejected: number;
  /** How often a person tried to approve their own request. All were refused. */
  readonly refusedAlone: number;
};

type Place = { readonly country: string; readonly currency: string };

export async function moveMoney(options: {
  readonly first: Colleague;
  readonly second: Colleague;
  readonly merchantId: string;
  readonly places: readonly Place[];
  readonly count: number;
  readonly random: Random;
}): Promise<MoneyMoves> {
  const { merchantId, places, count, random } = options;
  const moved: MoneyMove[] = [];
  let [rejected, refusedAlone] = [0, 0];
  for (let made = 0; made < count; made += 1) {
    const [asking, deciding] =
      made % 2 === 0 ? [options.first, options.second] : [options.second, options.first];
    const { amountText, ...order } = { ...randomMove(random), ...random.pick(places) };
    const named = order.type === 'ADJUSTMENT' ? {} : { reference: `slip-${made}` };
    const asked = { merchantId, ...order, amount: amountText, ...named, reason: `slip ${made}` };
    const { approvalId } = await asking.ask<{ approvalId: string }>('POST', 'host/money-requests', asked);
    const path = `host/approvals/${approvalId}`;
    const { hash } = await deciding.ask<{ hash: string }>('GET', path);
    await asking.refusedTo('POST', `${path}/approve`, { hash });
    refusedAlone += 1;
    if (random.chance(0.15)) {
      await deciding.ask('POST', `${path}/reject`, { reason: 'no such slip' });
      rejected += 1;
      continue;
    }
    await deciding.ask('POST', `${path}/approve`, { hash });
    const isTaken = amountText.startsWith('-');
    const amount = parseAmount(amountText.replace('-', '')) ?? 0n;
    moved.push({ ...order, amount: isTaken ? -amount : amount });
  }
  return { moved, rejected, refusedAlone };
}

/** Settlements and corrections are small compared with the wallets, so that none is refused. */
function randomMove(random: Random): { readonly type: MoneyMovementType; readonly amountText: string } {
  const type = random.pick(MONEY_MOVEMENT_TYPES);
  const amount = String(random.between(1, 5_000));
  return { type, amountText: type === 'ADJUSTMENT' && random.chance(0.5) ? `-${amount}` : amount };
}
