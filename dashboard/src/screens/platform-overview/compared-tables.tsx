import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { useLanguage, useWords, words } from '../../language.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatCount, formatRate, formatSeconds, rateOf } from '../../parts/figures.ts';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/page.tsx';
import { ProviderName } from '../../parts/names.tsx';
import type { PlatformOverview } from './payment-figures.tsx';

type ByProvider = PlatformOverview['providers'][number];
type ByMerchant = PlatformOverview['merchants'][number];
type Compared = PlatformOverview['totals'][number];

type ComparedTablesProps = {
  readonly currency: string;
  readonly providers: readonly ByProvider[];
  readonly merchants: readonly ByMerchant[];
};

/** The same figures by provider and by merchant. */
export function ComparedTables({ currency, providers, merchants }: ComparedTablesProps) {
  const t = useWords(WORDS);
  const figures = useFigureColumns();
  const ofProviders = useMemo(
    (): readonly Column<ByProvider>[] => [
      {
        id: 'provider',
        header: t.provider,
        isHeading: true,
        sortBy: ({ provider }) => provider,
        cell: ({ provider }) => <ProviderName code={provider} />,
      },
      ...figures,
    ],
    [t, figures],
  );
  const ofMerchants = useMemo(
    (): readonly Column<ByMerchant>[] => [
      {
        id: 'merchant',
        header: t.merchant,
        isHeading: true,
        sortBy: ({ merchant }) => merchant,
        cell: ({ merchant, merchantId }) => (
          <Anchor
            inherit
            renderRoot={(props) => (
              <Link {...props} to="/host/merchants/$merchantId" params={{ merchantId }} />
            )}
          >
            {merchant}
          </Anchor>
        ),
      },
      ...figures,
    ],
    [t, figures],
  );
  const empty = <EmptyState icon="overview" title={t.none} />;
  return (
    <>
      <Section title={t.byProvider(currency)}>
        <DataTable
          label={t.byProvider(currency)}
          columns={ofProviders}
          rows={providers}
          rowKey={({ provider }) => provider}
          empty={empty}
        />
      </Section>
      <Section title={t.byMerchant(currency)}>
        <DataTable
          label={t.byMerchant(currency)}
          columns={ofMerchants}
          rows={merchants}
          rowKey={({ merchantId }) => merchantId}
          empty={empty}
        />
      </Section>
    </>
  );
}

function useFigureColumns(): readonly Column<Compared>[] {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  return useMemo(() => {
    const countOf = ({ completed, failed }: Compared['current']) => completed + failed;
    const duration = (seconds: number | null) => formatSeconds(seconds, language);
    return [
      {
        id: 'count',
        header: t.payments,
        align: 'end',
        sortBy: ({ current }) => countOf(current),
        cell: ({ current, previous }) => (
          <Beside previous={formatCount(countOf(previous), language)}>
            {formatCount(countOf(current), language)}
          </Beside>
        ),
      },
      {
        id: 'volume',
        header: t.volume,
        align: 'end',
        sortBy: ({ current }) => Number(current.completedAmount),
        onPhone: 'end',
        cell: ({ current, previous, currency }) => (
          <Beside previous={<Money amount={previous.completedAmount} currency={currency} />}>
            <Money amount={current.completedAmount} currency={currency} />
          </Beside>
        ),
      },
      {
        id: 'rate',
        header: t.rate,
        align: 'end',
        sortBy: ({ current }) => rateOf(current) ?? 0,
        cell: ({ current, previous }) => (
          <Beside previous={formatRate(rateOf(previous), language)}>
            {formatRate(rateOf(current), language)}
          </Beside>
        ),
      },
      {
        id: 'time',
        header: t.time,
        align: 'end',
        sortBy: ({ current }) => current.p50Seconds ?? 0,
        cell: ({ current, previous }) => (
          <Beside previous={duration(previous.p50Seconds)}>{duration(current.p50Seconds)}</Beside>
        ),
      },
      {
        id: 'fees',
        header: t.fees,
        align: 'end',
        sortBy: ({ current }) => Number(current.fees),
        cell: ({ current, previous, currency }) => (
          <Beside previous={<Money amount={previous.fees} currency={currency} />}>
            <Money amount={current.fees} currency={currency} />
          </Beside>
        ),
      },
    ];
  }, [t, language]);
}

type BesideProps = { readonly previous: ReactNode; readonly children: ReactNode };

/** A figure, and below it that of the period before. */
function Beside({ previous, children }: BesideProps) {
  return (
    <Stack gap={0} align="flex-end" className="figures">
      <span>{children}</span>
      <Text component="span" size="xs" c="dimmed" className="earlier">
        {previous}
      </Text>
    </Stack>
  );
}

const WORDS = words({
  en: {
    byProvider: (currency: string) => `By provider (${currency})`,
    byMerchant: (currency: string) => `By merchant (${currency})`,
    provider: 'Provider',
    merchant: 'Merchant',
    payments: 'Payments',
    volume: 'Volume',
    rate: 'Success rate',
    time: 'Median time',
    fees: 'Fees',
    none: 'No payments in this period',
  },
  fr: {
    byProvider: (currency: string) => `Par opérateur (${currency})`,
    byMerchant: (currency: string) => `Par marchand (${currency})`,
    provider: 'Opérateur',
    merchant: 'Marchand',
    payments: 'Paiements',
    volume: 'Volume',
    rate: 'Taux de réussite',
    time: 'Durée médiane',
    fees: 'Frais',
    none: 'Aucun paiement dans cette période',
  },
});
