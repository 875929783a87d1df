// Settlements in words.
import { words, type Language } from '../language.tsx';
import { groupDigits } from './money.tsx';

export const SETTLEMENT_STATUS_WORDS = words({
  en: { REQUESTED: 'Requested', PAID: 'Paid', REJECTED: 'Rejected' },
  fr: { REQUESTED: 'Demandé', PAID: 'Payé', REJECTED: 'Refusé' },
});

export type SettlementStop = 'RECOVERING' | 'SUSPENDED' | 'FROZEN' | 'WALLET_OWES';

/** Why a settlement must not be paid now. */
export const SETTLEMENT_STOP_WORDS = words<Readonly<Record<SettlementStop, string>>>({
  en: {
    RECOVERING: 'A recovery is open',
    SUSPENDED: 'Merchant suspended',
    FROZEN: 'Frozen',
    WALLET_OWES: 'The wallet does not cover what it owes and its holds',
  },
  fr: {
    RECOVERING: 'Une restauration est en cours',
    SUSPENDED: 'Marchand suspendu',
    FROZEN: 'Gelé',
    WALLET_OWES: 'Le portefeuille ne couvre pas ses dettes et ses retenues',
  },
});

/** "Frozen, Merchant suspended", from codes separated by commas. */
export function stopsInWords(codes: string, language: Language): string {
  const texts: Readonly<Record<string, string>> = SETTLEMENT_STOP_WORDS[language];
  return codes
    .split(', ')
    .map((code) => texts[code] ?? code)
    .join(', ');
}

/** "Paid: 250,000 RWF". */
export function settlementTitle(
  { decision, amount = '', currency = '' }: Readonly<Record<string, string>>,
  language: Language,
): string {
  const status = SETTLEMENT_STATUS_WORDS[language][decision === 'PAID' ? 'PAID' : 'REJECTED'];
  return `${status}${language === 'fr' ? '\u00A0' : ''}: ${groupDigits(amount, language)} ${currency}`;
}
