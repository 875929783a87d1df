// A wallet by its name: country, currency, and the provider where the account keeps one for each.
import type { Names } from './names.tsx';

export type WalletName = { readonly country: string; readonly currency: string; readonly provider: string };

/** As it stands in addresses: "RWA-RWF", "RWA-RWF-MTN_MOMO_RWA". */
export function walletCode({ country, currency, provider }: WalletName): string {
  return [country, currency, provider].filter((part) => part !== '').join('-');
}

export function readWalletCode(code: string): WalletName {
  const [country = '', currency = '', provider = ''] = code.split('-');
  return { country, currency, provider };
}

/** As people read it: "Rwanda (RWF)", "MTN Rwanda (RWF)". */
export function walletLabel({ country, currency, provider }: WalletName, names: Names): string {
  return `${provider === '' ? names.country(country) : names.provider(provider)} (${currency})`;
}

type Balance = { readonly available: string; readonly held: string };

/** Whether there is anything in it. Texts of amounts are the shortest there are. */
export function isEmpty({ available, held }: Balance): boolean {
  return available === '0' && held === '0';
}
