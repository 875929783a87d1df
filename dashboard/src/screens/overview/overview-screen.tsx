import { Group, SegmentedControl, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Balances } from './balances.tsx';
import { CurrencySelect, PaymentFigures } from './payment-figures.tsx';
import { daysOf, PERIODS, type Period } from './periods.ts';

export type Overview = AnswerOf<'readOverview'>;

/** As often as somebody who watches a campaign would look. */
const REFRESH_MS = 15_000;

export function OverviewScreen() {
  const said = useWords(WORDS);
  const { merchantId, timeZone, homeCurrency } = useMerchant();
  const [period, setPeriod] = useState<Period>('month');
  const [chosen, setChosen] = useState<string | null>(null);
  const overview = useQuery({
    ...reading('/console/api/merchants/{merchantId}/overview', {
      params: { path: { merchantId }, query: daysOf(period, timeZone) },
    }),
    refetchInterval: REFRESH_MS,
    // What was there stays until the other period has come, so nothing jumps.
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={said.title}>
      <Loaded query={overview} skeleton={<Waiting />}>
        {(data) => {
          const currency = currencyOf(data, chosen);
          return (
            <Stack gap="xl">
              {data.wallets !== null && (
                <Section title={said.balances}>
                  <Balances wallets={data.wallets} firstCurrency={homeCurrency ?? currencyOf(data, null)} />
                </Section>
              )}
              <Section
                title={said.payments}
                actions={
                  <Group gap="xs">
                    <CurrencySelect overview={data} currency={currency} onChange={setChosen} />
                    <SegmentedControl
                      aria-label={said.period}
                      size="xs"
                      value={period}
                      onChange={(value) => setPeriod(value)}
                      data={(Object.keys(PERIODS) as Period[]).map((value) => ({
                        value,
                        label: said[value],
                      }))}
                    />
                  </Group>
                }
              >
                <PaymentFigures overview={data} currency={currency} days={PERIODS[period]} />
              </Section>
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** The one that was chosen if it has payments, else the one with most of them; null where there are none. */
function currencyOf({ currencies }: Overview, chosen: string | null): string | null {
  const present = currencies.map(({ currency }) => currency);
  return present.find((one) => one === chosen) ?? present[0] ?? null;
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
    balances: 'Balances',
    payments: 'Payments',
    period: 'Period',
    today: 'Today',
    week: '7 days',
    month: '30 days',
    quarter: '90 days',
  },
  fr: {
    title: 'Aperçu',
    balances: 'Soldes',
    payments: 'Paiements',
    period: 'Période',
    today: 'Aujourd’hui',
    week: '7 jours',
    month: '30 jours',
    quarter: '90 jours',
  },
});
