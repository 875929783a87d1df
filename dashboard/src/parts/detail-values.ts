// The details of approvals and audit entries as people read them. Identifiers, hashes and what people wrote stay.
import { useMemo } from 'react';
import { useLanguage, type Language } from '../language.tsx';
import { readCodes } from './code-words.ts';
import { formatDay } from './days.ts';
import { formatDuration } from './duration.ts';
import { formatBasisPoints } from './figures.ts';
import { limitTitle } from './limit-words.ts';
import { groupDigits } from './money.tsx';
import { useNames, type Names } from './names.tsx';
import { readPostings } from './posting-words.ts';
import { useTimeZone } from './time-zone.ts';
import { formatExact } from './time.tsx';

export type Reader = { readonly language: Language; readonly timeZone: string; readonly names: Names };

export function useReader(): Reader {
  const { language } = useLanguage();
  const timeZone = useTimeZone();
  const names = useNames();
  return useMemo(() => ({ language, timeZone, names }), [language, timeZone, names]);
}

/** By the name that a detail has in the API: "1,500", "16 Nov 2026", "MTN Rwanda". */
export function readValue(name: string, value: string, { language, timeZone, names }: Reader): string {
  if (UNREAD.has(name)) return value;
  if (AMOUNTS.has(name)) return groupDigits(readCodes(value, language, names), language);
  if (name === 'sums')
    return readCodes(
      value.replaceAll(NUMBER, (one) => groupDigits(one, language)),
      language,
      names,
    );
  if (name === 'basisPoints') return formatBasisPoints(Number(value), language);
  if (name === 'leadMs') return formatDuration(Number(value) / 1_000, language);
  if (name === 'limit') return limitTitle(value, language);
  if (name === 'postings') return readPostings(value, language);
  if (DAY.test(value)) return formatDay(value, language);
  if (TIME.test(value)) return formatExact(new Date(value), language, timeZone);
  return readCodes(value, language, names);
}

const AMOUNTS = new Set([
  'amount',
  'amountAbove',
  'amountMax',
  'bankUnexplained',
  'below',
  'closing',
  'droppedBankDiffering',
  'droppedBankReceived',
  'droppedBankSent',
  'droppedDiffering',
  'droppedReceived',
  'droppedSent',
  'fixed',
  'opening',
  'openingChange',
  'unexplained',
]);

/** What people wrote, and what programs compare. */
const UNREAD = new Set([
  'accountId',
  'algorithm',
  'bank',
  'connector',
  'contentHash',
  'email',
  'fields',
  'fingerprint',
  'freezeId',
  'frozenBy',
  'host',
  'label',
  'linesHash',
  'logoSha256',
  'mappingBy',
  'name',
  'note',
  'preparedBy',
  'providerTransactionId',
  'reference',
  'requestedBy',
  'rowsHash',
  'sha256',
]);

const NUMBER = /\d+(?:\.\d+)?/g;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
