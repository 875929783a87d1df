// The time zone and the home currency of a merchant: how its people see days, and which currency they see first.
import { listProviders } from '../../domain/operators/catalogue.ts';
import {
  findRegionalSettings,
  setRegionalSettings,
  type RegionalSettings,
} from '../../store/merchants/regional-settings.ts';
import { record, type Actor } from '../audit.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import type { TimedStore } from '../engine.ts';

/** Left out: as before. Both were checked. */
export type RegionalOrder = Actor & Partial<RegionalSettings> & { readonly merchantId: string };

/** Takes effect within ten seconds. Answers whether that changed anything. */
export async function changeRegionalSettings(engine: TimedStore, order: RegionalOrder): Promise<boolean> {
  const { by, merchantId, timeZone, homeCurrency } = order;
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const before = await findRegionalSettings(tx, merchantId);
    if (before === null) return false;
    const detail = {
      timeZone: timeZone ?? before.timeZone,
      homeCurrency: homeCurrency === undefined ? before.homeCurrency : homeCurrency,
    };
    const hasChanged = await setRegionalSettings(tx, { merchantId, ...detail });
    const entry = { by, act: 'REGIONAL_SETTINGS_SET', merchantId, subject: merchantId, detail } as const;
    if (hasChanged) await record(engine, tx, [entry]);
    return hasChanged;
  });
}

/** A currency of some provider. */
export function isKnownCurrency(code: string): boolean {
  return listProviders().some(({ currencies }) => currencies.some(({ currency }) => currency === code));
}
