// What the host wants to have at least at its operators: "MTN_MOMO_RWA/RWF=500000,AIRTEL_RWA/RWF=20000".
import { findProvider } from '../../domain/operators/catalogue.ts';
import { parseAmount, type Amount } from '../../domain/money.ts';

export type FloatMinimum = {
  readonly provider: string;
  readonly currency: string;
  readonly amount: Amount;
};

/** An empty text is no minimum. Answers null for another form, and for what the catalogue does not know. */
export function parseFloatMinimums(text: string): readonly FloatMinimum[] | null {
  if (text.trim() === '') return [];
  const minimums: FloatMinimum[] = [];
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [, provider = '', currency = '', amountText = ''] =
      /^([A-Z0-9_]+)\/([A-Z]{3})=([0-9.]+)$/.exec(entry) ?? [];
    const amount = parseAmount(amountText);
    const isKnown = findProvider(provider)?.currencies.some((one) => one.currency === currency) ?? false;
    if (amount === null || !isKnown) return null;
    minimums.push({ provider, currency, amount });
  }
  const names = new Set(minimums.map(({ provider, currency }) => `${provider}/${currency}`));
  return names.size === minimums.length ? minimums : null;
}
