import { BarChart } from '@mantine/charts';
import { useMemo } from 'react';
import { useLanguage, useWords, words } from '../../language.tsx';
import { KIND_WORDS } from '../../parts/kind-words.ts';
import { formatShort } from '../../parts/figures.ts';
import type { Overview } from './overview-screen.tsx';
import { stepLabel } from './periods.ts';

type VolumeChartProps = { readonly overview: Overview; readonly currency: string };

/** What was completed in each hour or day, by kind. */
export function VolumeChart({ overview, currency }: VolumeChartProps) {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const { language } = useLanguage();
  const volumes = overview.volumes.filter((volume) => volume.currency === currency);
  const present = [...new Set(volumes.map(({ kind }) => kind))];
  const data = useMemo(() => {
    const byTime = Map.groupBy(volumes, ({ at }) => at);
    return overview.starts.map((at) => ({
      at: stepLabel(at, overview, language),
      // Only for drawing: a bar is no wider than a screen.
      ...Object.fromEntries((byTime.get(at) ?? []).map((one) => [one.kind, Number(one.completedAmount)])),
    }));
  }, [volumes, overview, language]);
  return (
    <div role="img" aria-label={said.label(currency)}>
      <BarChart
        h={260}
        data={data}
        dataKey="at"
        type="stacked"
        series={present.map((kind) => ({
          name: kind,
          label: kinds[kind],
          color: SERIES[kind] ?? 'var(--series-6)',
        }))}
        withLegend={present.length > 1}
        valueFormatter={(value) => formatShort(value, language)}
        tickLine="none"
        barProps={{ isAnimationActive: false, maxBarSize: 28 }}
        barChartProps={{ accessibilityLayer: false }}
        xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 16 }}
        yAxisProps={{ width: 48 }}
      />
    </div>
  );
}

const SERIES: Readonly<Record<string, string>> = {
  DEPOSIT: 'var(--series-1)',
  PAYOUT: 'var(--series-2)',
  REFUND: 'var(--series-3)',
  REMITTANCE: 'var(--series-4)',
};

const WORDS = words({
  en: { label: (currency: string) => `Completed volume over time, in ${currency}` },
  fr: { label: (currency: string) => `Volume réussi au fil du temps, en ${currency}` },
});
