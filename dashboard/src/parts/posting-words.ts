// The accounts of a posting, as the person who approves it reads them.
import { words, type Language } from '../language.tsx';
import { groupDigits } from './money.tsx';

const POSTED_ACCOUNT_WORDS = words<Readonly<Record<string, string>>>({
  en: {
    WALLET: 'Merchant’s wallet',
    RECEIVABLE: 'Owed by the merchant',
    FLOAT: 'Float at the operator',
    SUSPENSE: 'Suspense',
    WRITE_OFF: 'Written off',
  },
  fr: {
    WALLET: 'Portefeuille du marchand',
    RECEIVABLE: 'Dû par le marchand',
    FLOAT: 'Fonds chez l’opérateur',
    SUSPENSE: 'Compte d’attente',
    WRITE_OFF: 'Pertes',
  },
});

type Posting = { readonly debit: string; readonly credit: string; readonly amount: string };

/** "Merchant’s wallet → Suspense: 1,500". */
export function postingTitle({ debit, credit, amount }: Posting, language: Language): string {
  const accounts = POSTED_ACCOUNT_WORDS[language];
  const space = language === 'fr' ? '\u00a0' : '';
  const [from, to] = [accounts[debit] ?? debit, accounts[credit] ?? credit];
  return `${from} → ${to}${space}: ${groupDigits(amount, language)}`;
}

const POSTING = /^([A-Z_]+) > ([A-Z_]+) ([\d.]+)$/;

/** "WALLET > SUSPENSE 30.5, RECEIVABLE > SUSPENSE 69.5", as the audit log has it, in words. */
export function readPostings(text: string, language: Language): string {
  return text
    .split(', ')
    .map((one) => {
      const [, debit, credit, amount] = POSTING.exec(one) ?? [];
      if (debit === undefined || credit === undefined || amount === undefined) return one;
      return postingTitle({ debit, credit, amount }, language);
    })
    .join(', ');
}
