import { LineChart } from '@mantine/charts';
import { useMemo } from 'react';
import { useLanguage, useWords, words } from '../../language.tsx';
import { formatRate, rateOf } from '../../parts/figures.ts';
import type { Overview } from './overview-screen.tsx';
import { stepLabel } from './periods.ts';

type SuccessChartProps = { readonly overview: Overview; readonly currency: string };

/** The share of payments that succeeded in each hour or day. There is a gap where none ended. */
export function SuccessChart({ overview, currency }: SuccessChartProps) {
  const said = useWords(WORDS);
  const { language } = useLanguage();
  const data = useMemo(() => {
    const own = overview.volumes.filter((volume) => volume.currency === currency);
    const byTime = Map.groupBy(own, ({ at }) => at);
    return overview.starts.map((at) => {
      const ended = byTime.get(at) ?? [];
      const completed = ended.reduce((sum, one) => sum + one.completed, 0);
      const failed = ended.reduce((sum, one) => sum + one.failed, 0);
      return { at: stepLabel(at, overview, language), rate: rateOf({ completed, failed }) };
    });
  }, [overview, currency, language]);
  return (
    <div role="img" aria-label={said.label(currency)}>
      <LineChart
        h={160}
        data={data}
        dataKey="at"
        series={[{ name: 'rate', label: said.rate, color: 'var(--series-1)' }]}
        connectNulls={false}
        curveType="linear"
        valueFormatter={(value) => formatRate(value, language)}
        tickLine="none"
        dotProps={{ r: 2 }}
        lineProps={{ isAnimationActive: false }}
        lineChartProps={{ accessibilityLayer: false }}
        xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 16 }}
        yAxisProps={{ width: 48, domain: [0, 1], ticks: [0, 0.5, 1] }}
      />
    </div>
  );
}

const WORDS = words({
  en: { rate: 'Success rate', label: (currency: string) => `Success rate over time, in ${currency}` },
  fr: {
    rate: 'Taux de réussite',
    label: (currency: string) => `Taux de réussite au fil du temps, en ${currency}`,
  },
});
