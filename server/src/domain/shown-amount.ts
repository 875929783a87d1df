// Amounts as people read them: thousands apart, the currency behind.

/** "1500.5" is "1,500.5 RWF", in French "1 500,5 RWF". Exact: the digits stay as they are. */
export function showAmount(
  { amount, currency }: { readonly amount: string; readonly currency: string },
  language: 'en' | 'fr',
): string {
  const [whole = '', fraction] = amount.split('.');
  const { thousands, decimal } = SIGNS[language];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands);
  const digits = fraction === undefined ? grouped : `${grouped}${decimal}${fraction}`;
  // A currency never stands alone on the next line.
  return `${digits}\u00a0${currency}`;
}

const SIGNS = {
  en: { thousands: ',', decimal: '.' },
  fr: { thousands: '\u202f', decimal: ',' },
};
