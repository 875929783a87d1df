import { useLanguage, useWords, words } from '../../language.tsx';
import { FigureTile, FigureTiles } from '../../parts/figure-tile.tsx';
import { KIND_WORDS, PAYMENT_KINDS } from '../../parts/kind-words.ts';
import { Money } from '../../parts/money.tsx';
import { formatCount, formatRate, rateOf } from '../../parts/figures.ts';
import type { Overview } from './overview-screen.tsx';

type KindTilesProps = { readonly overview: Overview; readonly currency: string };

/** What each kind of payment came to, what it cost, and what was left. Each beside the period before. */
export function KindTiles({ overview, currency }: KindTilesProps) {
  const said = useWords(WORDS);
  const sums = overview.currencies.find((one) => one.currency === currency);
  const totals = PAYMENT_KINDS.flatMap(
    (kind) => overview.totals.find((one) => one.kind === kind && one.currency === currency) ?? [],
  );
  return (
    <FigureTiles>
      {totals.map((total) => (
        <KindTile key={total.kind} total={total} course={courseOf(overview, total)} />
      ))}
      {sums !== undefined && (
        <>
          <MoneyTile
            id="FEES"
            label={said.fees}
            amount={sums.fees}
            previous={sums.previous.fees}
            currency={currency}
            note={said.feesHint}
          />
          <MoneyTile
            id="NET"
            label={said.net}
            amount={sums.net}
            previous={sums.previous.net}
            currency={currency}
            note={said.netHint}
          />
        </>
      )}
    </FigureTiles>
  );
}

type Total = Overview['totals'][number];

/** What was completed in each step. Only for drawing. */
function courseOf({ starts, volumes }: Overview, { kind, currency }: Total): readonly number[] {
  const own = volumes.filter((one) => one.kind === kind && one.currency === currency);
  const byTime = new Map(own.map(({ at, completedAmount }) => [at, Number(completedAmount)]));
  return starts.map((at) => byTime.get(at) ?? 0);
}

function KindTile({ total, course }: { readonly total: Total; readonly course: readonly number[] }) {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const { language } = useLanguage();
  const { kind, currency, completed, failed, completedAmount, previous } = total;
  const note =
    completed + failed === 0
      ? said.none
      : said.ended(formatCount(completed, language), formatRate(rateOf(total), language));
  return (
    <MoneyTile
      id={kind}
      label={kinds[kind]}
      amount={completedAmount}
      previous={previous.completedAmount}
      currency={currency}
      note={note}
      course={course}
    />
  );
}

type MoneyTileProps = {
  readonly id: string;
  readonly label: string;
  readonly amount: string;
  readonly previous: string;
  readonly currency: string;
  readonly note: string;
  readonly course?: readonly number[];
};

function MoneyTile({ amount, previous, currency, ...rest }: MoneyTileProps) {
  const before = <Money amount={previous} currency={currency} />;
  return (
    <FigureTile
      value={<Money amount={amount} currency={currency} />}
      // More payouts, refunds or fees are neither good nor bad by themselves.
      trend={{ current: amount, previous, before, more: GOOD.has(rest.id) ? 'good' : 'neither' }}
      {...rest}
    />
  );
}

const GOOD: ReadonlySet<string> = new Set(['DEPOSIT', 'NET']);

const WORDS = words({
  en: {
    ended: (count: string, rate: string) => `${count} completed · ${rate} success rate`,
    none: 'No payments',
    fees: 'Fees',
    feesHint: 'For completed payments',
    net: 'Net',
    netHint: 'Deposits less payments sent and fees',
  },
  fr: {
    ended: (count: string, rate: string) => `${count} réussis · taux de réussite ${rate}`,
    none: 'Aucun paiement',
    fees: 'Frais',
    feesHint: 'Des paiements réussis',
    net: 'Net',
    netHint: 'Encaissements moins envois et frais',
  },
});
