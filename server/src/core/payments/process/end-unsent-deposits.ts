// Ends deposits that could not be sent while their payer was there, however long the queue to their operator is.
import type { PaymentKey } from '../../../domain/payments/payment.ts';
import { listUnsentDeposits } from '../../../store/payments/unsent-payments.ts';
import { advance } from './advance.ts';
import type { Engine } from '../../engine.ts';
import { DEPOSIT_SENT_WITHIN_MS } from './expired-event.ts';
import { addMs } from '../../../domain/time.ts';
import { togetherOrAlone } from '../../together-or-alone.ts';
import { reportAbout } from '../../payment-log.ts';

/** Answers how many were ended. */
export async function endUnsentDeposits(
  engine: Engine,
  { countMax, onError }: { readonly countMax: number; readonly onError: (error: unknown) => void },
): Promise<number> {
  const before = addMs(engine.clock.now(), -DEPOSIT_SENT_WITHIN_MS);
  const unsent = await listUnsentDeposits(engine.store.database, { before, countMax });
  const end = (keys: readonly PaymentKey[]) =>
    advance(
      engine,
      keys.map((key) => ({ key, event: { type: 'SUBMIT_EXPIRED' } })),
    );
  const ended = unsent.length === 0 ? [] : await togetherOrAlone(unsent, end, reportAbout(onError));
  return ended.filter(({ type }) => type === 'MOVE').length;
}
