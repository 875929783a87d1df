import { Stack, Text } from '@mantine/core';
import { useWords } from '../../language.tsx';
import { SETTLEMENT_STATUS_WORDS } from '../../parts/settlement-words.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';

type Decided = {
  readonly status: keyof (typeof SETTLEMENT_STATUS_WORDS)['en'];
  readonly decidedAt: string | null;
  readonly reference: string | null;
  readonly reason: string | null;
};

/** The status, with the bank's reference or why it was rejected. */
export function Outcome({ settlement }: { readonly settlement: Decided }) {
  const statuses = useWords(SETTLEMENT_STATUS_WORDS);
  const { status, decidedAt, reference, reason } = settlement;
  return (
    <Stack gap={2} align="flex-start" style={{ overflowWrap: 'anywhere' }}>
      <StateBadge state={status}>{statuses[status]}</StateBadge>
      {(reference ?? reason) !== null && (
        <Text component="span" size="xs">
          {reference ?? reason}
        </Text>
      )}
      {decidedAt !== null && (
        <Text component="span" size="xs" c="dimmed">
          <Time at={decidedAt} />
        </Text>
      )}
    </Stack>
  );
}
