// Below which balance of a wallet its merchant's people are mailed.
import { renderAmount, type Amount } from '../../domain/money.ts';
import { setWalletAlert, type WalletAlertKey } from '../../store/ledger/wallet-alerts.ts';
import { record, type Actor } from '../audit.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import type { TimedStore } from '../engine.ts';

/** `below` null: no alert any more. */
export type WalletAlertOrder = Actor & WalletAlertKey & { readonly below: Amount | null };

/** Answers whether that changed anything. */
export async function changeWalletAlert(engine: TimedStore, order: WalletAlertOrder): Promise<boolean> {
  const { by, below, ...key } = order;
  const { merchantId, country, currency, provider } = key;
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    if (!(await setWalletAlert(tx, key, below))) return false;
    const subject = [country, currency, provider].filter((part) => part !== '').join('-');
    const detail = { below: below === null ? null : renderAmount(below) };
    await record(engine, tx, [{ by, act: 'WALLET_ALERT_SET', merchantId, subject, detail }]);
    return true;
  });
}
