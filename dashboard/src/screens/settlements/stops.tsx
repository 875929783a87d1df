import { Stack, Text } from '@mantine/core';
import { useLanguage, useWords, words } from '../../language.tsx';
import { groupDigits } from '../../parts/money.tsx';
import { SETTLEMENT_STOP_WORDS } from '../../parts/settlement-words.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import type { HostSettlement } from './decide.tsx';

/** Whether it may be paid at the bank now, and why not. */
export function Stops({ settlement: { stops, wallet, currency } }: { readonly settlement: HostSettlement }) {
  const t = useWords(WORDS);
  const reasons = useWords(SETTLEMENT_STOP_WORDS);
  const { language } = useLanguage();
  if (stops.length === 0) return t.yes;
  const money = (amount: string) => `${groupDigits(amount, language)} ${currency}`;
  return (
    <Stack gap={2} align="flex-start" style={{ overflowWrap: 'anywhere' }}>
      <StateBadge state="REFUSED">{t.no}</StateBadge>
      {stops.map((stop) => (
        <Text key={stop} component="span" size="xs">
          {reasons[stop]}
        </Text>
      ))}
      {wallet !== null && stops.includes('WALLET_OWES') && (
        <Text component="span" size="xs" c="dimmed">
          {t.wallet(money(wallet.available), money(wallet.owed), money(wallet.unheld))}
        </Text>
      )}
    </Stack>
  );
}

const WORDS = words({
  en: {
    yes: 'Yes',
    no: 'Do not pay',
    wallet: (available: string, owed: string, unheld: string) =>
      `Available ${available}, owed ${owed}, wanted by holds ${unheld}`,
  },
  fr: {
    yes: 'Oui',
    no: 'Ne payez pas',
    wallet: (available: string, owed: string, unheld: string) =>
      `Disponible ${available}, dû ${owed}, demandé par des retenues ${unheld}`,
  },
});
