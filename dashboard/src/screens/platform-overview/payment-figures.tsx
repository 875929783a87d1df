import { Group, NativeSelect, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { ComparedTables } from './compared-tables.tsx';
import { TotalTiles } from './figure-tiles.tsx';

export type PlatformOverview = AnswerOf<'readPlatformOverview'>;

const PERIODS = { day: 1, week: 7, month: 30, quarter: 90 } as const;
type Period = keyof typeof PERIODS;

/** Days of every merchant are added up for it; what is urgent stands above, and is read far more often. */
const REFRESH_MS = 300_000;

/** Volume, success, time and fees of all merchants, beside the period before. */
export function PaymentFigures() {
  const t = useWords(WORDS);
  const [period, setPeriod] = useState<Period>('week');
  const overview = useQuery({
    ...reading('/console/api/host/overview', { params: { query: daysOf(PERIODS[period]) } }),
    refetchInterval: REFRESH_MS,
    // What was there stays until the other period has come, so nothing jumps.
    placeholderData: keepPreviousData,
  });
  return (
    <Section
      title={t.payments}
      actions={
        <SegmentedControl
          aria-label={t.period}
          size="xs"
          value={period}
          onChange={(value) => setPeriod(value)}
          data={(Object.keys(PERIODS) as Period[]).map((value) => ({ value, label: t[value] }))}
        />
      }
    >
      <Loaded query={overview} skeleton={<Skeleton height={360} />}>
        {(data) => <Figures overview={data} days={PERIODS[period]} />}
      </Loaded>
    </Section>
  );
}

type FiguresProps = { readonly overview: PlatformOverview; readonly days: number };

function Figures({ overview, days }: FiguresProps) {
  const t = useWords(WORDS);
  const [chosen, setChosen] = useState('');
  const total = overview.totals.find(({ currency }) => currency === chosen) ?? overview.totals[0];
  if (total === undefined) {
    return (
      <EmptyState icon="overview" title={t.none}>
        {t.noneHint}
      </EmptyState>
    );
  }
  const { currency } = total;
  const own = <Row extends { readonly currency: string }>(rows: readonly Row[]) =>
    rows.filter((row) => row.currency === currency);
  return (
    <Stack gap="xl">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {t.compared(days)} {t.updated} <Time at={overview.now} isExact />
        </Text>
        {overview.totals.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={t.currency}
            data={overview.totals.map((one) => one.currency)}
            value={currency}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        )}
      </Group>
      <TotalTiles overview={overview} total={total} />
      <ComparedTables
        currency={currency}
        providers={own(overview.providers)}
        merchants={own(overview.merchants)}
      />
    </Stack>
  );
}

const DAY_MS = 24 * 3_600_000;

/** The last days of UTC, today included. */
function daysOf(count: number): { readonly from: string; readonly to: string } {
  const now = Date.now();
  return { from: dayOf(now - (count - 1) * DAY_MS), to: dayOf(now) };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

const WORDS = words({
  en: {
    payments: 'Payments',
    period: 'Period',
    day: 'Today',
    week: '7 days',
    month: '30 days',
    quarter: '90 days',
    currency: 'Currency',
    compared: (days: number) =>
      days === 1 ? 'Compared with yesterday, in UTC.' : `Compared with the ${days} days before, in UTC.`,
    updated: 'Updated',
    none: 'No payments in this period',
    noneHint: 'Try a longer period. Completed and failed payments of all merchants are counted here.',
  },
  fr: {
    payments: 'Paiements',
    period: 'Période',
    day: 'Aujourd’hui',
    week: '7 jours',
    month: '30 jours',
    quarter: '90 jours',
    currency: 'Devise',
    compared: (days: number) =>
      days === 1 ? 'Comparé à hier, en UTC.' : `Comparé aux ${days} jours précédents, en UTC.`,
    updated: 'Mis à jour le',
    none: 'Aucun paiement dans cette période',
    noneHint:
      'Essayez une période plus longue. Les paiements réussis et échoués de tous les marchands sont comptés ici.',
  },
});
