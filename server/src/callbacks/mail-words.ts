// What mails name, as people read it: times with their zone, wallets, kinds of callbacks.
import { findCountry, findProvider } from '../domain/operators/catalogue.ts';
import type { AnnouncedKind } from '../domain/payments/payment.ts';

export type MailLanguage = 'en' | 'fr';

const LOCALES = { en: 'en-GB', fr: 'fr' } as const;

/** "16 Nov 2026, 21:45 (Kigali)". */
export function mailTime(time: Date, timeZone: string, language: MailLanguage): string {
  const zone = (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
  const format = new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  });
  return `${format.format(time)} (${zone})`;
}

/** "Rwanda (RWF)", or "MTN Rwanda (RWF)" where there is a wallet for each provider. */
export function mailWallet(detail: Readonly<Record<string, string>>, language: MailLanguage): string {
  const { country = '', currency = '', provider = '' } = detail;
  const place = findCountry(country)?.displayName[language] ?? country;
  const operator = findProvider(provider)?.displayName;
  return `${operator === undefined ? place : `${operator} ${place}`} (${currency})`;
}

const KINDS: Readonly<Record<MailLanguage, Readonly<Record<AnnouncedKind, string>>>> = {
  en: {
    DEPOSIT: 'deposits',
    PAYOUT: 'payouts',
    REFUND: 'refunds',
    REMITTANCE: 'remittances',
    SPLIT_PAYMENT: 'split payments',
    CHECKOUT: 'checkouts',
  },
  fr: {
    DEPOSIT: 'les encaissements',
    PAYOUT: 'les versements',
    REFUND: 'les remboursements',
    REMITTANCE: 'les transferts',
    SPLIT_PAYMENT: 'les paiements partagés',
    CHECKOUT: 'les sessions de paiement',
  },
};

/** What callbacks are about: "deposits". */
export function mailKind(kind: string, language: MailLanguage): string {
  const names: Readonly<Record<string, string>> = KINDS[language];
  return names[kind] ?? kind;
}
