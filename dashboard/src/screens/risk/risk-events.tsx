import { Alert, NativeSelect, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { HOLD_WORDS } from '../../parts/hold-words.ts';
import { FREEZE_SCOPES, FREEZE_SCOPE_WORDS, limitTitle } from '../../parts/limit-words.ts';
import { Money } from '../../parts/money.tsx';
import { SmallCode, useNames } from '../../parts/names.tsx';
import { StateBadge, type Tone } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { RISK_EVENTS, RISK_EVENT_WORDS, type RiskEvent } from './risk-event-words.ts';

type Row = AnswerOf<'listRiskEvents'>['events'][number];

const TONES: Readonly<Partial<Record<RiskEvent, Tone>>> = {
  FREEZE_LIFTED: 'success',
  FUNDS_RELEASED: 'success',
  FUNDS_HELD: 'info',
  FROZEN: 'info',
  PAYMENT_HELD: 'info',
  PAYMENT_RELEASED: 'success',
  PAYMENT_REJECTED: 'trouble',
  PLATFORM_LIMIT: 'trouble',
  MERCHANT_LIMIT: 'trouble',
  NUMBER_BLOCKED: 'trouble',
};

/** What was limited, held and released lately, and what looks like an attack. */
export function RiskEvents() {
  const t = useWords(WORDS);
  const names = useWords(RISK_EVENT_WORDS);
  const [event, setEvent] = useState<RiskEvent | null>(null);
  const query = event === null ? {} : { event };
  const events = useQuery({
    ...reading('/console/api/host/risk-events', { params: { query } }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  const missing = events.data?.missingCells ?? [];
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed" maw={680}>
        {t.hint}
      </Text>
      <NativeSelect
        label={t.event}
        maw={320}
        data={[{ value: '', label: t.all }, ...RISK_EVENTS.map((value) => ({ value, label: names[value] }))]}
        value={event ?? ''}
        onChange={({ currentTarget }) =>
          setEvent(RISK_EVENTS.find((one) => one === currentTarget.value) ?? null)
        }
      />
      {missing.length > 0 && <Alert color="yellow" title={t.missing(missing.join(', '))} />}
      <DataTable
        label={t.label}
        columns={columns}
        rows={events.data?.events}
        rowKey={({ cell, eventId }) => `${cell} ${eventId}`}
        skeletonRows={5}
        error={events.error}
        onRetry={() => void events.refetch()}
        empty={
          <EmptyState icon="shield" title={t.none}>
            {t.noneHint}
          </EmptyState>
        }
      />
    </Stack>
  );
}

function useColumns(): readonly Column<Row>[] {
  const t = useWords(WORDS);
  const names = useWords(RISK_EVENT_WORDS);
  return useMemo(
    () => [
      {
        id: 'event',
        header: t.event,
        isHeading: true,
        cell: ({ event, count }) => (
          <StateBadge state={event} tone={TONES[event] ?? 'failure'}>
            {count === 1 ? names[event] : `${names[event]} × ${count}`}
          </StateBadge>
        ),
      },
      { id: 'at', header: t.at, cell: ({ lastAt }) => <Time at={lastAt} /> },
      { id: 'who', header: t.who, cell: (row) => <Who row={row} /> },
      { id: 'what', header: t.what, onPhone: 'plain', cell: (row) => <What row={row} /> },
      {
        id: 'amount',
        header: t.amount,
        cell: ({ amount, currency }) =>
          amount === null || currency === null ? '–' : <Money amount={amount} currency={currency} />,
      },
    ],
    [t, names],
  );
}

/** The merchant, and below it the token. */
function Who({ row: { merchant, tokenId } }: { readonly row: Row }) {
  if (merchant === null && tokenId === null) return '–';
  return (
    <Text component="span" size="sm" className="name" style={{ overflowWrap: 'anywhere' }}>
      {merchant}
      {tokenId !== null && <SmallCode>{tokenId}</SmallCode>}
    </Text>
  );
}

/** The limit, what was frozen, the operator. */
function What({ row: { event, subject, provider } }: { readonly row: Row }) {
  const { language } = useLanguage();
  const scopes = useWords(FREEZE_SCOPE_WORDS);
  const names = useNames();
  const isLimit = event === 'PLATFORM_LIMIT' || event === 'MERCHANT_LIMIT';
  const scope = FREEZE_SCOPES.find((one) => one === subject);
  const holds = useWords(HOLD_WORDS);
  const about = isLimit
    ? limitTitle(subject, language)
    : scope === undefined
      ? (holds[subject] ?? subject)
      : scopes[scope];
  const parts = [about, provider === null ? '' : names.provider(provider)].filter((part) => part !== '');
  return (
    <Text component="span" size="sm" style={{ overflowWrap: 'anywhere' }}>
      {parts.length === 0 ? '–' : parts.join(' · ')}
    </Text>
  );
}

const WORDS = words({
  en: {
    label: 'Risk events',
    hint: 'The latest 200. Events of the same kind within a minute are one line. Kept for 90 days.',
    event: 'Event',
    all: 'All events',
    at: 'Last',
    who: 'Merchant',
    what: 'Subject',
    amount: 'Amount',
    none: 'No risk events',
    noneHint: 'Refused and held payments, freezes, failed sign-ins and forged notifications are shown here.',
    missing: (cells: string) => `Cell ${cells} does not answer: its events are not shown`,
  },
  fr: {
    label: 'Événements de risque',
    hint: 'Les 200 derniers. Les événements semblables d’une même minute font une ligne. Conservés 90 jours.',
    event: 'Événement',
    all: 'Tous les événements',
    at: 'Dernier',
    who: 'Marchand',
    what: 'Objet',
    amount: 'Montant',
    none: 'Aucun événement de risque',
    noneHint:
      'Les paiements refusés ou retenus, les gels, les échecs de connexion et les fausses notifications figurent ici.',
    missing: (cells: string) => `La cellule ${cells} ne répond pas : ses événements ne sont pas affichés`,
  },
});
