// After the chaos: everything is whole again, and what is still open may come to its end.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  calm,
  countOpen,
  letTimePass,
  needsReport,
  repeatUnheard,
  type SettleOptions,
} from '../kit/settle.ts';
import { readOperatorBooks } from '../kit/verdict/operator-books.ts';
import { readPayments } from '../kit/verdict/payment-rows.ts';
import { findDisagreements } from '../kit/verdict/verdict.ts';
import type { Stage } from './setup.ts';

/** Answers whether everything came to rest in time; what did not is found by the verdict. */
export async function settle(stage: Stage, { patienceMs, onProgress }: SettleOptions): Promise<boolean> {
  await stage.cluster.waitUntilWhole();
  await stage.fleet.waitUntilUp();
  await calm(stage.operatorUrls);
  for (const { endpoint } of stage.merchants) await endpoint.change('GOOD');
  const { database } = stage.console.engine.store;
  const until = Date.now() + patienceMs;
  let told = 0;
  while (Date.now() < until) {
    const open = await countOpen(database);
    if (open.payments + open.callbacks === 0) {
      const isHeard = (await repeatUnheard(stage.console.engine, stage)) === 0;
      if (isHeard && !(await areAsked(stage))) return true;
    }
    if (Date.now() - told > 5_000) {
      told = Date.now();
      onProgress(`still open: ${open.payments} payments, ${open.callbacks} callbacks`);
    }
    await letTimePass(database);
    await sleep(500);
  }
  return false;
}

/** Whether payments in reconciliation are still to learn from their operators the outcome of them. */
async function areAsked({ console, scratch, operatorUrls }: Stage): Promise<boolean> {
  const charges = readOperatorBooks(scratch, [...operatorUrls.keys()]);
  const payments = await readPayments(console.engine.store.database);
  const reconciled = payments.filter(
    (payment) => payment.state === 'IN_RECONCILIATION' && !needsReport(payment, console.engine.connectors),
  );
  return findDisagreements({ charges }, reconciled).length > 0;
}
