// Payments that need people: one whose outcome is unknown, and one whose operator contradicts itself.
import { depositRequest, payer, select, waitUntil, type TestGateway } from '../gateway.ts';
import { start, waitForPayment } from '../payments.ts';

/** For a gateway in which unknown outcomes stay unknown, and problems are seen soon. */
export const TROUBLE_OPTIONS = {
  directoryRememberMs: 0,
  simulator: { outcomeDelayMs: 50 },
  timing: { enquiryDelaysMs: [3_600_000] },
  // What was not measured for three times as long is a problem itself: also a slow machine keeps to these.
  monitor: { intervalMs: 2_000, floatIntervalMs: 10_000, booksIntervalMs: 10_000 },
};

/** A deposit in reconciliation. Answers its identifier. */
export async function startUnresolved(gateway: TestGateway): Promise<string> {
  gateway.simulator.addFault({ type: 'WRONG_AMOUNT', amount: '90' });
  const depositId = await start(gateway, 'deposit', depositRequest());
  await waitForPayment(gateway, 'deposit', depositId, 'IN_RECONCILIATION');
  return depositId;
}

/** A deposit that was paid after it had failed. */
export async function openCase(gateway: TestGateway): Promise<void> {
  gateway.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
  const refused = depositRequest({ payer: payer('MTN_MOMO_RWA', '250783456039') });
  await start(gateway, 'deposit', refused);
  const late = () => select(gateway, `select 1 from cases where evidence = 'LATE_SUCCESS'`);
  await waitUntil(async () => (await late()).length > 0);
}
