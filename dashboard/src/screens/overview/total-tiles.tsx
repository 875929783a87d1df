import { Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useLanguage, useWords, words } from '../../language.tsx';
import { Money } from '../../parts/money.tsx';
import { MOVEMENT_WORDS } from '../../parts/movement-words.ts';
import { formatCount, formatRate, rateOf } from './figures.ts';
import type { Overview } from './overview-screen.tsx';

type TotalTilesProps = { readonly overview: Overview; readonly currency: string };

/** What each kind of payment came to. */
export function TotalTiles({ overview, currency }: TotalTilesProps) {
  const totals = overview.totals.filter((total) => total.currency === currency);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm">
      {totals.map((total) => (
        <Tile key={total.kind} total={total} />
      ))}
    </SimpleGrid>
  );
}

function Tile({ total }: { readonly total: Overview['totals'][number] }) {
  const said = useWords(WORDS);
  const kinds = useWords(MOVEMENT_WORDS);
  const { language } = useLanguage();
  return (
    <Paper withBorder p="md" data-kind={total.kind}>
      <Stack gap={4}>
        <Text size="sm" c="dimmed">
          {kinds[total.kind] ?? total.kind}
        </Text>
        <Text fz="xl" lh={1.2}>
          <Money amount={total.completedAmount} currency={total.currency} isStrong />
        </Text>
        <Text size="sm" className="figures">
          {said.ended(formatCount(total.completed, language), formatRate(rateOf(total), language))}
        </Text>
      </Stack>
    </Paper>
  );
}

const WORDS = words({
  en: { ended: (count: string, rate: string) => `${count} completed · ${rate} succeeded` },
  fr: { ended: (count: string, rate: string) => `${count} terminés · ${rate} réussis` },
});
