import { words } from '../../language.tsx';

export const MONEY_TYPES = ['TOP_UP', 'SETTLEMENT', 'ADJUSTMENT'] as const;
export type MoneyType = (typeof MONEY_TYPES)[number];

export const TYPE_WORDS = words<Readonly<Record<MoneyType, string>>>({
  en: { TOP_UP: 'Top-up', SETTLEMENT: 'Settlement', ADJUSTMENT: 'Adjustment' },
  fr: { TOP_UP: 'Approvisionnement', SETTLEMENT: 'Règlement', ADJUSTMENT: 'Correction' },
});

export const TYPE_HINTS = words<Readonly<Record<MoneyType, string>>>({
  en: {
    TOP_UP: 'The merchant brought money by bank: it is added to the wallet.',
    SETTLEMENT: 'Money was paid out to the merchant’s bank: it is taken from the wallet.',
    ADJUSTMENT: 'A correction. With a minus in front it takes from the wallet.',
  },
  fr: {
    TOP_UP: 'Le marchand a apporté de l’argent par la banque : il est ajouté au portefeuille.',
    SETTLEMENT: 'De l’argent a été versé à la banque du marchand : il est retiré du portefeuille.',
    ADJUSTMENT: 'Une correction. Avec un signe moins, elle retire du portefeuille.',
  },
});
