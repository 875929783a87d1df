import { Group, Progress, Stack, Text } from '@mantine/core';
import { useLanguage, useWords } from '../../language.tsx';
import { FAILED_PAYMENT_WORDS } from '../../parts/failed-payment-words.ts';
import { MOVEMENT_WORDS } from '../../parts/movement-words.ts';
import { SmallCode } from '../../parts/names.tsx';
import { formatCount } from '../../parts/figures.ts';
import type { Overview } from './overview-screen.tsx';

type Failure = Overview['failures'][number];

/** The most frequent ones. */
const SHOWN_MAX = 10;

export function FailureList({ failures }: { readonly failures: readonly Failure[] }) {
  const most = failures[0]?.count ?? 1;
  return (
    <Stack gap="sm" component="ul" m={0} p={0} maw={680} style={{ listStyle: 'none' }}>
      {failures.slice(0, SHOWN_MAX).map((failure) => (
        <FailureRow key={`${failure.kind} ${failure.failureCode}`} failure={failure} most={most} />
      ))}
    </Stack>
  );
}

function FailureRow({ failure, most }: { readonly failure: Failure; readonly most: number }) {
  const kinds = useWords(MOVEMENT_WORDS);
  const { language } = useLanguage();
  const reasons = useWords(FAILED_PAYMENT_WORDS);
  const { kind, failureCode, count } = failure;
  const reason = reasons[failureCode] ?? failureCode;
  return (
    <Stack gap={4} component="li">
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <div>
          <Text component="span" size="sm" fw={600}>
            {reason}
          </Text>
          <Text component="span" size="sm" c="dimmed">
            {' · '}
            {kinds[kind] ?? kind}
          </Text>
          {reason !== failureCode && <SmallCode>{failureCode}</SmallCode>}
        </div>
        <Text component="span" fw={600} className="figures">
          {formatCount(count, language)}
        </Text>
      </Group>
      <Progress value={(count / most) * 100} size="sm" color="var(--series-5)" aria-label={reason} />
    </Stack>
  );
}
