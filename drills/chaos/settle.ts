// After the chaos: everything is healthy again, and open payments may end.
import type { Engine } from '../../server/src/core/engine.ts';
import { calm, comeToRest, letTimePass, needsReport, repeatLostMessages, type Rest } from '../kit/settle.ts';
import { readOperatorBooks } from '../kit/verdict/operator-books.ts';
import { readPayments } from '../kit/verdict/payment-rows.ts';
import { findDisagreements } from '../kit/verdict/verdict.ts';
import { endHeld } from './screening.ts';
import type { Setup } from './setup.ts';

export async function settle(setup: Setup, rest: Pick<Rest, 'patienceMs' | 'say'>): Promise<void> {
  await setup.cluster.waitUntilWhole();
  await setup.fleet.waitUntilUp();
  await setup.second?.fleet.waitUntilUp();
  await calm(setup.operatorUrls);
  for (const { endpoint } of [...setup.merchants, ...(setup.second?.merchants ?? [])])
    await endpoint.change('GOOD');
  setup.screening.calm();
  const { engine } = setup.admin;
  const engines = enginesOf(setup);
  const isAll = async () => {
    for (const one of engines)
      if ((await repeatLostMessages(one, setup)) > 0 || (await areAsked(one, setup))) return false;
    return true;
  };
  const meanwhile = async () => {
    await endHeld(engine);
    for (const { store } of engines) await letTimePass(store.database);
  };
  const databases = engines.map(({ store }) => store.database);
  await comeToRest(databases, { ...rest, meanwhile, isAll });
}

/** Of each cell. */
export function enginesOf({ admin, second }: Setup): readonly Engine[] {
  return [admin.engine, ...(second === null ? [] : [second.admin.engine])];
}

/** Whether payments in reconciliation still have to get their outcome from their operators. */
async function areAsked(engine: Engine, { scratch, operatorUrls }: Setup): Promise<boolean> {
  const charges = readOperatorBooks(scratch, [...operatorUrls.keys()]);
  const payments = await readPayments(engine.store.database);
  const reconciled = payments.filter(
    (payment) => payment.state === 'IN_RECONCILIATION' && !needsReport(payment, engine.connectors),
  );
  return findDisagreements({ charges }, reconciled).length > 0;
}
