import {
  Alert,
  Group,
  NativeSelect,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { Balances } from './balances.tsx';
import { FailureList } from './failure-list.tsx';
import { ProviderTable } from './provider-table.tsx';
import { daysOf, type Span } from './spans.ts';
import { TotalTiles } from './total-tiles.tsx';
import { VolumeChart } from './volume-chart.tsx';

export type Overview = AnswerOf<'readOverview'>;

/** As often as somebody who watches a campaign would look. */
const REFRESH_MS = 15_000;

export function OverviewScreen() {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const [span, setSpan] = useState<Span>('month');
  const overview = useQuery({
    ...reading('/console/api/merchants/{merchantId}/overview', {
      params: { path: { merchantId }, query: daysOf(span) },
    }),
    refetchInterval: REFRESH_MS,
    // What was there stays until the other span has come, so nothing jumps.
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title={said.title}
      hint={said.hint}
      actions={
        <SegmentedControl
          aria-label={said.span}
          size="xs"
          value={span}
          onChange={(value) => setSpan(value)}
          data={(['today', 'week', 'month', 'quarter'] as const).map((value) => ({
            value,
            label: said[value],
          }))}
        />
      }
    >
      <Loaded query={overview} skeleton={<Waiting />}>
        {(data) => <Figures overview={data} />}
      </Loaded>
    </Page>
  );
}

function Figures({ overview }: { readonly overview: Overview }) {
  const said = useWords(WORDS);
  const currencies = [...new Set(overview.totals.map(({ currency }) => currency))];
  const [chosen, setChosen] = useState('');
  const currency = currencies.includes(chosen) ? chosen : (currencies[0] ?? '');
  return (
    <Stack gap="lg">
      {overview.isCatchingUp && (
        <Alert color="blue" title={said.catchingUp}>
          {said.catchingUpHint}
        </Alert>
      )}
      {currencies.length === 0 ? (
        <NothingEnded isNew={overview.countedUntil === null} />
      ) : (
        <>
          <Group justify="space-between" gap="xs">
            <Text size="sm" c="dimmed">
              {said.counted} {overview.countedUntil !== null && <Time at={overview.countedUntil} isExact />}
            </Text>
            {currencies.length > 1 && (
              <NativeSelect
                size="xs"
                aria-label={said.currency}
                data={currencies}
                value={currency}
                onChange={(event) => setChosen(event.currentTarget.value)}
              />
            )}
          </Group>
          <TotalTiles overview={overview} currency={currency} />
          <Section title={said.volume(currency)}>
            <VolumeChart overview={overview} currency={currency} />
          </Section>
          <Section title={said.providers}>
            <ProviderTable rows={overview.providers} />
          </Section>
          {overview.failures.length > 0 && (
            <Section title={said.failures}>
              <FailureList failures={overview.failures} />
            </Section>
          )}
        </>
      )}
      {overview.wallets !== null && (
        <Section title={said.balances}>
          <Balances wallets={overview.wallets} />
        </Section>
      )}
    </Stack>
  );
}

function NothingEnded({ isNew }: { readonly isNew: boolean }) {
  const said = useWords(WORDS);
  return (
    <EmptyState icon="overview" title={isNew ? said.nothingYet : said.nothingNow}>
      {isNew ? said.nothingYetHint : said.nothingNowHint}
    </EmptyState>
  );
}

function Waiting() {
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        <Skeleton h={96} />
        <Skeleton h={96} />
      </SimpleGrid>
      <Skeleton h={280} />
      <Skeleton h={160} />
    </Stack>
  );
}

const WORDS = words({
  en: {
    title: 'Overview',
    hint: 'Payments by the day on which they ended. Days are those of UTC.',
    span: 'Span',
    today: 'Today',
    week: '7 days',
    month: '30 days',
    quarter: '90 days',
    currency: 'Currency',
    counted: 'Counted up to',
    catchingUp: 'Payments are being counted',
    catchingUpHint: 'Some that have ended are not in these figures yet. They will be within minutes.',
    volume: (currency: string) => `Completed, in ${currency}`,
    providers: 'By provider',
    failures: 'Why payments failed',
    balances: 'Balances',
    nothingYet: 'No payment has ended yet',
    nothingYetHint: 'As soon as the first deposit or payout is completed or has failed, it is counted here.',
    nothingNow: 'Nothing ended in this span',
    nothingNowHint: 'Choose a longer one above.',
  },
  fr: {
    title: 'Aperçu',
    hint: 'Les paiements par jour de leur fin. Les jours sont ceux de l’UTC.',
    span: 'Période',
    today: 'Aujourd’hui',
    week: '7 jours',
    month: '30 jours',
    quarter: '90 jours',
    currency: 'Devise',
    counted: 'Compté jusqu’à',
    catchingUp: 'Les paiements sont en cours de comptage',
    catchingUpHint:
      'Certains paiements terminés ne figurent pas encore ici. Ce sera fait en quelques minutes.',
    volume: (currency: string) => `Terminés, en ${currency}`,
    providers: 'Par opérateur',
    failures: 'Pourquoi des paiements ont échoué',
    balances: 'Soldes',
    nothingYet: 'Aucun paiement n’est encore terminé',
    nothingYetHint: 'Dès que le premier dépôt ou versement aboutit ou échoue, il est compté ici.',
    nothingNow: 'Rien ne s’est terminé dans cette période',
    nothingNowHint: 'Choisissez-en une plus longue ci-dessus.',
  },
});
