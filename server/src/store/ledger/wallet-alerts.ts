// Below which balance of a wallet its merchant's people are mailed.
import { renderAmount, type Amount } from '../../domain/money.ts';
import { livesHere } from '../cells/migration-locks.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged } from '../rows.ts';

const alerts = columns({
  merchantId: 'uuid',
  country: 'text',
  currency: 'text',
  provider: 'text',
  below: 'numeric',
  lowSince: 'timestamptz null',
});
export type WalletAlert = Row<typeof alerts>;
export type WalletAlertKey = Pick<WalletAlert, 'merchantId' | 'country' | 'currency' | 'provider'>;

const OF_WALLET = 'merchant_id = $1 and country = $2 and currency = $3 and provider = $4';

export async function listWalletAlerts(tx: Tx, merchantId: string): Promise<readonly WalletAlert[]> {
  const tail = 'from wallet_alerts where merchant_id = $1 order by country, currency, provider';
  return alerts.select(tx, tail, [merchantId]);
}

const watched = columns({ ...alerts.defs, isLow: column<boolean>('bool') });

/** Alerts of wallets that have too little, and of those that have enough again. */
export async function listLowWallets(tx: Tx): Promise<readonly Row<typeof watched>[]> {
  return watched.select(
    tx,
    `from (
       select a.*, coalesce(w.available, 0) < a.below as is_low from wallet_alerts a
       left join lateral (
         select w.posted - w.held as available from wallets w join accounts c using (account_id)
         where w.merchant_id = a.merchant_id
           and (c.country, c.currency, c.provider) = (a.country, a.currency, a.provider)) w on true
       where ${livesHere('a')}) each
     where is_low or low_since is not null order by merchant_id, country, currency, provider`,
  );
}

/** Null for no alert. A new threshold begins again. Answers whether that changed anything. */
export async function setWalletAlert(tx: Tx, key: WalletAlertKey, below: Amount | null): Promise<boolean> {
  if (below === null) return isChanged(tx, `delete from wallet_alerts where ${OF_WALLET}`, valuesOf(key));
  return isChanged(
    tx,
    `insert into wallet_alerts (merchant_id, country, currency, provider, below) values ($1, $2, $3, $4, $5)
     on conflict (merchant_id, country, currency, provider) do update set below = excluded.below, low_since = null
     where wallet_alerts.below <> excluded.below`,
    [...valuesOf(key), renderAmount(below)],
  );
}

/** Since when the wallet is low; null when it has enough again. Answers whether that is news. */
export async function markWalletLow(tx: Tx, key: WalletAlertKey, lowSince: Date | null): Promise<boolean> {
  return isChanged(
    tx,
    `update wallet_alerts set low_since = $5
     where ${OF_WALLET} and (low_since is null) <> ($5::timestamptz is null)`,
    [...valuesOf(key), lowSince],
  );
}

function valuesOf({ merchantId, country, currency, provider }: WalletAlertKey): readonly string[] {
  return [merchantId, country, currency, provider];
}
