import { words } from '../../language.tsx';

export const MONEY_TYPES = ['TOP_UP', 'SETTLEMENT', 'ADJUSTMENT'] as const;
export type MoneyType = (typeof MONEY_TYPES)[number];

export const TYPE_WORDS = words<Readonly<Record<MoneyType, string>>>({
  en: { TOP_UP: 'Top-up', SETTLEMENT: 'Settlement', ADJUSTMENT: 'Adjustment' },
  fr: { TOP_UP: 'Approvisionnement', SETTLEMENT: 'Règlement', ADJUSTMENT: 'Correction' },
});

export const TYPE_HINTS = words<Readonly<Record<MoneyType, string>>>({
  en: {
    TOP_UP: 'Credits the wallet: the merchant paid money in by bank transfer.',
    SETTLEMENT: 'Debits the wallet: money was paid out to the merchant’s bank.',
    ADJUSTMENT: 'A correction. A minus sign debits the wallet.',
  },
  fr: {
    TOP_UP: 'Crédite le portefeuille : le marchand a versé de l’argent par virement bancaire.',
    SETTLEMENT: 'Débite le portefeuille : de l’argent a été versé à la banque du marchand.',
    ADJUSTMENT: 'Une correction. Un signe moins débite le portefeuille.',
  },
});
