import { words } from '../../language.tsx';

/** What accounts are called, by their type. */
export const ACCOUNT_WORDS = words<Readonly<Record<string, string>>>({
  en: {
    WALLET: 'Wallets',
    RECEIVABLE: 'Owed by merchants',
    FLOAT: 'Float at operators',
    FEE: 'Fees earned',
    CLEARING: 'Bank clearing',
    SUSPENSE: 'Suspense',
    ADJUSTMENT: 'Adjustments',
    WRITE_OFF: 'Written off',
    CHARGE: 'Operator charges',
  },
  fr: {
    WALLET: 'Portefeuilles',
    RECEIVABLE: 'Dû par les marchands',
    FLOAT: 'Fonds chez les opérateurs',
    FEE: 'Frais perçus',
    CLEARING: 'Compensation bancaire',
    SUSPENSE: 'Compte d’attente',
    ADJUSTMENT: 'Corrections',
    WRITE_OFF: 'Pertes',
    CHARGE: 'Frais des opérateurs',
  },
});
