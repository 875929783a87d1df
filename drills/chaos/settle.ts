// After the chaos: everything is healthy again, and open payments may end.
import { calm, comeToRest, letTimePass, needsReport, repeatLostMessages, type Rest } from '../kit/settle.ts';
import { readOperatorBooks } from '../kit/verdict/operator-books.ts';
import { readPayments } from '../kit/verdict/payment-rows.ts';
import { findDisagreements } from '../kit/verdict/verdict.ts';
import { endHeld } from './screening.ts';
import type { Setup } from './setup.ts';

export async function settle(setup: Setup, rest: Pick<Rest, 'patienceMs' | 'say'>): Promise<void> {
  await setup.cluster.waitUntilWhole();
  await setup.fleet.waitUntilUp();
  await calm(setup.operatorUrls);
  for (const { endpoint } of setup.merchants) await endpoint.change('GOOD');
  setup.screening.calm();
  const { engine } = setup.admin;
  const isAll = async () => (await repeatLostMessages(engine, setup)) === 0 && !(await areAsked(setup));
  const meanwhile = async () => {
    await endHeld(engine);
    await letTimePass(engine.store.database);
  };
  await comeToRest([engine.store.database], { ...rest, meanwhile, isAll });
}

/** Whether payments in reconciliation still have to get their outcome from their operators. */
async function areAsked({ admin: { engine }, scratch, operatorUrls }: Setup): Promise<boolean> {
  const charges = readOperatorBooks(scratch, [...operatorUrls.keys()]);
  const payments = await readPayments(engine.store.database);
  const reconciled = payments.filter(
    (payment) => payment.state === 'IN_RECONCILIATION' && !needsReport(payment, engine.connectors),
  );
  return findDisagreements({ charges }, reconciled).length > 0;
}
