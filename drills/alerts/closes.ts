// An account whose days people have promised to close.
import { DUE_HOURS, startCloses } from '../../server/src/core/daily-close/accounts.ts';
import { BY } from '../kit/settings.ts';
import type { Setup } from './setup.ts';

export async function promiseCloses({ engine }: Setup): Promise<void> {
  const account = { provider: 'MTN_MOMO_RWA', currency: 'RWF', timeZone: null, dueHours: DUE_HOURS };
  const firstDay = engine.clock.now().toISOString().slice(0, 10);
  await startCloses(engine, { by: BY, ...account, firstDay });
}
