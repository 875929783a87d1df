// Limits and freezes in words.
import type { AnswerOf } from '../api/client.ts';
import { words, type Language } from '../language.tsx';
import { KIND_WORDS, PAYMENT_KINDS } from './kind-words.ts';
import { groupDigits } from './money.tsx';

export type Limit = AnswerOf<'listLimits'>['limits'][number];
export type LimitKey = Pick<Limit, 'kind' | 'scope' | 'subject' | 'period' | 'currency'>;
export type LimitScope = Limit['scope'];
export type LimitPeriod = Limit['period'];
export type FreezeScope = AnswerOf<'listFreezes'>['freezes'][number]['scope'];

export const LIMIT_SCOPES = ['MERCHANT', 'TOKEN', 'PROVIDER', 'COUNTRY', 'NUMBER'] as const;
export const LIMIT_PERIODS = ['MINUTE', 'HOUR', 'DAY', 'MONTH'] as const;
export const FREEZE_SCOPES = ['MERCHANT', 'TOKEN', 'NUMBER', 'PROVIDER', 'ALL'] as const;

/** What is counted apart. */
export const LIMIT_SCOPE_WORDS = words<Readonly<Record<LimitScope, string>>>({
  en: {
    MERCHANT: 'Whole merchant',
    TOKEN: 'Each API token',
    PROVIDER: 'Each provider',
    COUNTRY: 'Each country',
    NUMBER: 'Each phone number',
  },
  fr: {
    MERCHANT: 'Tout le marchand',
    TOKEN: 'Chaque jeton d’API',
    PROVIDER: 'Chaque opérateur',
    COUNTRY: 'Chaque pays',
    NUMBER: 'Chaque numéro',
  },
});

export const PERIOD_WORDS = words<Readonly<Record<LimitPeriod, string>>>({
  en: { MINUTE: 'per minute', HOUR: 'per hour', DAY: 'per day', MONTH: 'per month' },
  fr: { MINUTE: 'par minute', HOUR: 'par heure', DAY: 'par jour', MONTH: 'par mois' },
});

export const FREEZE_SCOPE_WORDS = words<Readonly<Record<FreezeScope, string>>>({
  en: {
    MERCHANT: 'Merchant',
    TOKEN: 'API token',
    NUMBER: 'Recipient',
    PROVIDER: 'Provider',
    ALL: 'All outgoing payments',
  },
  fr: {
    MERCHANT: 'Marchand',
    TOKEN: 'Jeton d’API',
    NUMBER: 'Bénéficiaire',
    PROVIDER: 'Opérateur',
    ALL: 'Tous les paiements sortants',
  },
});

/** "Payouts per day · Each phone number · RWF", of the name that a limit has in approvals and the audit log. */
export function limitTitle(name: string, language: Language): string {
  const [, kind = '', scope = '', subject = '', period = '', currency = ''] = name.split(' ');
  const known = PAYMENT_KINDS.find((one) => one === kind);
  const knownScope = LIMIT_SCOPES.find((one) => one === scope);
  const knownPeriod = LIMIT_PERIODS.find((one) => one === period);
  if (known === undefined || knownScope === undefined || knownPeriod === undefined) return name;
  const what = `${KIND_WORDS[language][known]} ${PERIOD_WORDS[language][knownPeriod]}`;
  const whose = subject === 'EACH' ? LIMIT_SCOPE_WORDS[language][knownScope] : subject;
  return [what, whose, ...(currency === 'ANY' ? [] : [currency])].join(' · ');
}

/** "Merchant Demo Shop". */
export function freezeTitle(details: Readonly<Record<string, string>>, language: Language): string {
  const { scope = '', subject = '', label } = details;
  const known = FREEZE_SCOPES.find((one) => one === scope);
  return `${known === undefined ? scope : FREEZE_SCOPE_WORDS[language][known]} ${label ?? subject}`.trim();
}

type Details = Readonly<Record<string, string>>;

/** "Payouts per day · Each API token · RWF: 500 payments, 2,000,000 RWF". */
export function limitRequestTitle(details: Details, language: Language): string {
  const { limit = '', countMax = 'none', amountMax = 'none' } = details;
  const { removed, payments } = REQUEST_WORDS[language];
  const currency = limit.split(' ').at(-1) ?? '';
  const maxima = [
    ...(countMax === 'none' ? [] : [payments(groupDigits(countMax, language))]),
    ...(amountMax === 'none' ? [] : [`${groupDigits(amountMax, language)} ${currency}`]),
  ];
  return `${limitTitle(limit, language)} → ${maxima.length === 0 ? removed : maxima.join(', ')}`;
}

/** "Allow ••••••789". */
export function numberListTitle(
  { list, change, count = '', number = '' }: Details,
  language: Language,
): string {
  const { allow, unblock, numbers, block } = REQUEST_WORDS[language];
  const verb = change === 'REMOVE' ? unblock : list === 'ALLOWED' ? allow : block;
  return `${verb} ${number === '' ? numbers(groupDigits(count, language)) : number}`;
}

const REQUEST_WORDS = words({
  en: {
    removed: 'no limit',
    payments: (count: string) => `${count} payments`,
    allow: 'Allow',
    block: 'Block',
    unblock: 'Unblock',
    numbers: (count: string) => `${count} numbers`,
  },
  fr: {
    removed: 'sans limite',
    payments: (count: string) => `${count} paiements`,
    allow: 'Autoriser',
    block: 'Bloquer',
    unblock: 'Débloquer',
    numbers: (count: string) => `${count} numéros`,
  },
});
