import { Anchor, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { CONNECTION_ERROR_WORDS } from '../../parts/connection-error-words.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import type { Delivery } from './delivery-list.tsx';
import { DELIVERY_WORDS } from './delivery-words.ts';

type Attempt = AnswerOf<'readDelivery'>['attempts'][number];

/** How many attempts there were, and each of them when asked for. */
export function AttemptsButton({ delivery }: { readonly delivery: Delivery }) {
  const t = useWords(DELIVERY_WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  const { attemptCount, callbackId } = delivery;
  if (attemptCount === 0) return <span className="figures">0</span>;
  return (
    <>
      <Anchor component="button" type="button" onClick={open} aria-label={t.attemptsOf(attemptCount)}>
        <span className="figures">{attemptCount}</span>
      </Anchor>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t.attemptsOf(attemptCount)}
        centered
        size="lg"
        closeButtonProps={{ 'aria-label': t.close }}
      >
        <Attempts callbackId={callbackId} count={attemptCount} />
      </Modal>
    </>
  );
}

function Attempts({ callbackId, count }: { readonly callbackId: string; readonly count: number }) {
  const t = useWords(DELIVERY_WORDS);
  const { merchantId } = useMerchant();
  const attempts = useQuery(
    reading('/console/api/merchants/{merchantId}/callback-deliveries/{callbackId}', {
      params: { path: { merchantId, callbackId } },
    }),
  );
  const columns = useMemo(
    (): readonly Column<Attempt>[] => [
      { id: 'no', header: t.attempt, isHeading: true, cell: ({ attemptNo }) => attemptNo },
      { id: 'result', header: t.result, onPhone: 'plain', cell: (attempt) => <Outcome attempt={attempt} /> },
      { id: 'at', header: t.sent, cell: ({ startedAt }) => <Time at={startedAt} isExact /> },
    ],
    [t],
  );
  return (
    <DataTable
      label={t.attempts}
      columns={columns}
      rows={attempts.data?.attempts}
      rowKey={({ attemptNo }) => String(attemptNo)}
      skeletonRows={count}
      error={attempts.error}
      onRetry={() => void attempts.refetch()}
      empty={null}
    />
  );
}

type OutcomeProps = { readonly attempt: Pick<Attempt, 'httpStatus' | 'errorCode' | 'durationMs'> };

/** "503 · 120 ms", or that there was no answer, and why. */
export function Outcome({ attempt: { httpStatus, errorCode, durationMs } }: OutcomeProps) {
  const t = useWords(DELIVERY_WORDS);
  const errors = useWords(CONNECTION_ERROR_WORDS);
  const isGood = httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
  return (
    <Text component="span" inherit style={{ whiteSpace: 'nowrap' }}>
      {httpStatus === null ? (
        t.noAnswer
      ) : (
        <StateBadge state={String(httpStatus)} tone={isGood ? 'success' : 'failure'}>
          {httpStatus}
        </StateBadge>
      )}
      <Text component="span" size="xs" c="dimmed">
        {' '}
        · {httpStatus === null && errorCode !== null ? (errors[errorCode] ?? errorCode) : `${durationMs} ms`}
      </Text>
    </Text>
  );
}
