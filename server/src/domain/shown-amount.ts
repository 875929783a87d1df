// Amounts as people read them: with thousands separators and the currency.

/** "1500.5" is "1,500.5 RWF", in French "1 500,5 RWF". Exact: the digits stay as they are. */
export function showAmount(
  { amount, currency }: { readonly amount: string; readonly currency: string },
  language: 'en' | 'fr',
): string {
  const [whole = '', fraction] = amount.split('.');
  const { thousands, decimal } = SIGNS[language];
  const grouped = groupsFromRight(whole, 3).join(thousands);
  const digits = fraction === undefined ? grouped : `${grouped}${decimal}${fraction}`;
  // A no-break space keeps the currency on the same line.
  return `${digits}\u00a0${currency}`;
}

/** "1234567" in groups of three is "1", "234", "567". */
export function groupsFromRight(digits: string, size: number): readonly string[] {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= size) groups.push(digits.slice(Math.max(0, end - size), end));
  return groups.toReversed();
}

const SIGNS = {
  en: { thousands: ',', decimal: '.' },
  fr: { thousands: '\u202f', decimal: ',' },
};
