import { Code, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useLanguage, useWords } from '../../language.tsx';
import { MOVEMENT_WORDS } from '../../parts/movement-words.ts';
import { formatCount } from './figures.ts';
import type { Overview } from './overview-screen.tsx';

type Failure = Overview['failures'][number];

/** More than these nobody reads; they are sorted by how often they happen. */
const SHOWN_MAX = 10;

export function FailureList({ failures }: { readonly failures: readonly Failure[] }) {
  const most = failures[0]?.count ?? 1;
  return (
    <Paper withBorder p="md">
      <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {failures.slice(0, SHOWN_MAX).map((failure) => (
          <FailureRow key={`${failure.kind} ${failure.failureCode}`} failure={failure} most={most} />
        ))}
      </Stack>
    </Paper>
  );
}

function FailureRow({ failure, most }: { readonly failure: Failure; readonly most: number }) {
  const kinds = useWords(MOVEMENT_WORDS);
  const { language } = useLanguage();
  const { kind, failureCode, failureMessage, count } = failure;
  return (
    <Stack gap={4} component="li">
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Group gap="xs">
          <Text component="span" size="sm" c="dimmed">
            {kinds[kind] ?? kind}
          </Text>
          <Code style={{ overflowWrap: 'anywhere' }}>{failureCode}</Code>
        </Group>
        <Text component="span" fw={600} className="figures">
          {formatCount(count, language)}
        </Text>
      </Group>
      <Progress value={(count / most) * 100} size="sm" color="var(--series-5)" aria-label={failureCode} />
      <Text size="sm" c="dimmed" lang="en">
        {failureMessage}
      </Text>
    </Stack>
  );
}
