// What the search (Ctrl+K) offers: payments whose identifier begins with what was typed, and the list of all matches.
import type { Finding } from '../../area.ts';
import type { Scope } from '../../me.ts';
import { groupDigits } from '../../parts/money.tsx';
import { STATE_WORDS } from '../../parts/state-words.ts';
import { readPaymentPage, type ListedPayment } from './payment-calls.ts';
import { ONE_OF_KIND } from './payment-words.ts';

/** Shorter ones are the beginnings of the names of screens. */
const TYPED_MIN = 4;

function maySearch(scope: Scope): boolean {
  return scope.permissions.includes(scope.type === 'merchant' ? 'payments:read' : 'host:read');
}

export function findPayments(query: string, scope: Scope): readonly Finding[] {
  if (!maySearch(scope) || query.length < TYPED_MIN) return [];
  return [
    {
      id: 'find-payments',
      label: { en: `Search payments for “${query}”`, fr: `Rechercher « ${query} » dans les paiements` },
      icon: 'payments',
      path: `payments?search=${encodeURIComponent(query)}`,
    },
  ];
}

/** An identifier, or as much of it as lists show. Nothing else is looked for while somebody types. */
const IDENTIFIER = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i;

/** More are better looked through in the list. */
const SHOWN_MAX = 5;
/** Refunds are found by the identifier of their deposit too, and are newer: as many as one deposit has. */
const COUNT_MAX = '20';

export async function lookForPayments(
  query: string,
  scope: Scope,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  if (!maySearch(scope) || !IDENTIFIER.test(query)) return [];
  const owner = scope.type === 'merchant' ? scope.merchantId : null;
  const { payments } = await readPaymentPage(owner, { identifier: query, limit: COUNT_MAX }, signal);
  const isNamed = ({ paymentId }: ListedPayment) => paymentId.toLowerCase().startsWith(query.toLowerCase());
  return [...payments.filter(isNamed), ...payments.filter((one) => !isNamed(one))]
    .slice(0, SHOWN_MAX)
    .map(findingOf);
}

function findingOf({ merchantId, merchant, kind, paymentId, ...rest }: ListedPayment): Finding {
  const { state, amount, currency } = rest;
  const label = (language: 'en' | 'fr') =>
    `${ONE_OF_KIND[language][kind]} · ${groupDigits(amount, language)} ${currency} · ${STATE_WORDS[language][state]}`;
  const description = merchant === null ? paymentId : `${merchant} · ${paymentId}`;
  return {
    id: `payment ${merchantId} ${kind} ${paymentId}`,
    label: { en: label('en'), fr: label('fr') },
    description,
    icon: 'payments',
    path: '',
    address: `/m/${merchantId}/payments/${kind}/${paymentId}`,
  };
}
