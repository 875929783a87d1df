import { Group, Progress, Stack, Text } from '@mantine/core';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import type { Batch } from './batch-words.ts';
import { CancelButton } from './cancel-button.tsx';

/** How far a batch is: how many are completed, failed, or in progress. */
export function BatchProgress({ batch }: { readonly batch: Batch }) {
  const said = useWords(WORDS);
  const { may } = useMerchant();
  const { COMPLETED: completed = 0, FAILED: failedLater = 0 } = batch.states;
  const failed = failedLater + batch.rejectedCount;
  const cancelled = batch.cancelledCount;
  const open = batch.count - completed - failed - cancelled;
  const parts = [
    { name: 'completed', count: completed, color: 'teal' },
    { name: 'failed', count: failed, color: 'red' },
    { name: 'cancelled', count: cancelled, color: 'gray' },
  ] as const;
  return (
    <Stack gap="xs">
      <Progress.Root size="lg" aria-label={said.label}>
        {parts.map(({ name, count, color }) => (
          <Progress.Section
            key={name}
            value={(count * 100) / batch.count}
            color={color}
            aria-label={said[name](count)}
          />
        ))}
      </Progress.Root>
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {[
            said.completed(completed),
            ...(failed > 0 ? [said.failed(failed)] : []),
            ...(cancelled > 0 ? [said.cancelled(cancelled)] : []),
            ...(open > 0 ? [said.open(open)] : []),
          ].join(' · ')}
        </Text>
        {batch.status === 'SENDING' && may('payouts:prepare') && <CancelButton batch={batch} />}
      </Group>
    </Stack>
  );
}

const WORDS = words({
  en: {
    label: 'Progress',
    completed: (count: number) => `${count} completed`,
    failed: (count: number) => `${count} failed`,
    cancelled: (count: number) => `${count} not sent`,
    open: (count: number) => `${count} in progress`,
  },
  fr: {
    label: 'Avancement',
    completed: (count: number) => `${count} ${count > 1 ? 'effectués' : 'effectué'}`,
    failed: (count: number) => `${count} ${count > 1 ? 'échoués' : 'échoué'}`,
    cancelled: (count: number) => `${count} ${count > 1 ? 'non envoyés' : 'non envoyé'}`,
    open: (count: number) => `${count} en cours`,
  },
});
