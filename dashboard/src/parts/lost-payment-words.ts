import { words, type Language } from '../language.tsx';
import { groupDigits } from './money.tsx';

type Direction = 'IN' | 'OUT';
type Bearer = 'MERCHANT' | 'PLATFORM' | 'OTHER_CELL';

/** Whose the money of a lost payment is, by where it went. */
export const BEARER_WORDS = words<Readonly<Record<Bearer, (direction: Direction) => string>>>({
  en: {
    MERCHANT: (direction) =>
      direction === 'IN' ? 'Credit a merchant’s wallet' : 'Charge a merchant’s wallet',
    PLATFORM: (direction) => (direction === 'IN' ? 'The platform keeps it' : 'The platform bears it'),
    OTHER_CELL: () => 'Another cell has it in its books',
  },
  fr: {
    MERCHANT: (direction) =>
      direction === 'IN' ? 'Créditer le portefeuille d’un marchand' : 'Débiter le portefeuille d’un marchand',
    PLATFORM: (direction) => (direction === 'IN' ? 'La plateforme le garde' : 'La plateforme le supporte'),
    OTHER_CELL: () => 'Une autre cellule l’a dans ses comptes',
  },
});

/** "Credit a merchant’s wallet, Demo Shop, 2,500 RWF" */
export function lostPaymentTitle(details: Readonly<Record<string, string>>, language: Language): string {
  const { bearer = '', direction = '', merchant, amount = '', currency = '' } = details;
  const what = BEARER_WORDS[language][bearer as Bearer](direction as Direction);
  return [
    what,
    ...(merchant === undefined ? [] : [merchant]),
    `${groupDigits(amount, language)} ${currency}`,
  ].join(', ');
}
