// Settlements in words.
import { words, type Language } from '../language.tsx';
import { groupDigits } from './money.tsx';

export const SETTLEMENT_STATUS_WORDS = words({
  en: { REQUESTED: 'Requested', PAID: 'Paid', REJECTED: 'Rejected' },
  fr: { REQUESTED: 'Demandé', PAID: 'Payé', REJECTED: 'Refusé' },
});

/** "Paid: 250,000 RWF". */
export function settlementTitle(
  { decision, amount = '', currency = '' }: Readonly<Record<string, string>>,
  language: Language,
): string {
  const status = SETTLEMENT_STATUS_WORDS[language][decision === 'PAID' ? 'PAID' : 'REJECTED'];
  return `${status}${language === 'fr' ? '\u00A0' : ''}: ${groupDigits(amount, language)} ${currency}`;
}
