import { useLanguage, useWords, words } from '../../language.tsx';
import { formatDuration } from '../../parts/duration.ts';
import { FigureTile, FigureTiles } from '../../parts/figure-tile.tsx';
import { formatCount, formatRate, rateOf } from '../../parts/figures.ts';
import { Money } from '../../parts/money.tsx';
import type { PlatformOverview } from './payment-figures.tsx';

type Total = PlatformOverview['totals'][number];

type TotalTilesProps = { readonly overview: PlatformOverview; readonly total: Total };

/** The four figures of a currency, each beside that of the period before. */
export function TotalTiles({ overview, total }: TotalTilesProps) {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  const { current, previous, currency } = total;
  const count = current.completed + current.failed;
  const days = courseOf(overview, currency);
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  const duration = (seconds: number | null) => (seconds === null ? '–' : formatDuration(seconds, language));
  return (
    <FigureTiles>
      <FigureTile
        label={t.volume}
        value={money(current.completedAmount)}
        trend={{
          current: current.completedAmount,
          previous: previous.completedAmount,
          before: money(previous.completedAmount),
          more: 'good',
        }}
        course={days.map(({ completedAmount }) => Number(completedAmount))}
      />
      <FigureTile
        label={t.rate}
        value={formatRate(rateOf(current), language)}
        trend={{
          current: rateOf(current),
          previous: rateOf(previous),
          isShare: true,
          before: formatRate(rateOf(previous), language),
          more: 'good',
        }}
        note={t.count(formatCount(count, language), count)}
        // A day without payments has no rate.
        course={days.map(rateOf).filter((rate) => rate !== null)}
      />
      <FigureTile
        label={t.time}
        value={duration(current.p50Seconds)}
        trend={{
          current: current.p50Seconds,
          previous: previous.p50Seconds,
          before: duration(previous.p50Seconds),
          more: 'bad',
        }}
        note={current.p90Seconds === null ? t.tooFew : t.p90(duration(current.p90Seconds))}
      />
      <FigureTile
        label={t.fees}
        value={money(current.fees)}
        trend={{
          current: current.fees,
          previous: previous.fees,
          before: money(previous.fees),
          more: 'good',
        }}
        course={days.map(({ fees }) => Number(fees))}
      />
    </FigureTiles>
  );
}

const DAY_MS = 86_400_000;
const NOTHING = { completed: 0, failed: 0, completedAmount: '0', fees: '0' };

/** Every day of the period so far. Only for drawing. */
function courseOf({ from, until, now, days }: PlatformOverview, currency: string) {
  const own = new Map(
    days.filter((day) => day.currency === currency).map((day) => [Date.parse(day.at), day]),
  );
  const end = Math.min(Date.parse(until), Date.parse(now));
  const count = Math.ceil((end - Date.parse(from)) / DAY_MS);
  return Array.from({ length: count }, (_, index) => own.get(Date.parse(from) + index * DAY_MS) ?? NOTHING);
}

const WORDS = words({
  en: {
    volume: 'Completed volume',
    rate: 'Success rate',
    time: 'Median time to final',
    fees: 'Revenue from fees',
    count: (shown: string, count: number) => `${shown} ${count === 1 ? 'payment' : 'payments'}`,
    p90: (duration: string) => `90th percentile: ${duration}`,
    tooFew: 'Shown from 20 payments on',
  },
  fr: {
    volume: 'Volume réussi',
    rate: 'Taux de réussite',
    time: 'Durée médiane',
    fees: 'Revenus des frais',
    count: (shown: string, count: number) => `${shown} ${count < 2 ? 'paiement' : 'paiements'}`,
    p90: (duration: string) => `90e centile : ${duration}`,
    tooFew: 'Affichée à partir de 20 paiements',
  },
});
