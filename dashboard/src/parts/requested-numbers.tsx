import { Button, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useAct } from '../api/acts.ts';
import { answer, api, type AnswerOf } from '../api/client.ts';
import { reading } from '../api/queries.ts';
import { useWords, words } from '../language.tsx';
import { useHost } from '../me.ts';
import { useCursor } from './cursor.ts';
import { DataTable, type Column } from './data-table.tsx';
import { Masked } from './masked.tsx';
import { Time } from './time.tsx';

type RequestedNumber = AnswerOf<'listRequestedNumbers'>['rows'][number];
type RequestedProps = { readonly approvalId: string };

/** The phone numbers of a request, for those who are to approve it. */
export function RequestedNumbersButton({ approvalId }: RequestedProps) {
  const t = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        {t.show}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t.title} centered size="lg">
        <RequestedNumbers approvalId={approvalId} />
      </Modal>
    </>
  );
}

function RequestedNumbers({ approvalId }: RequestedProps) {
  const t = useWords(WORDS);
  const { mayReveal } = useHost();
  const { cursor, pagingOf } = useCursor();
  const page = cursor === undefined ? {} : { cursor };
  const path = { approvalId };
  const numbers = useQuery({
    ...reading('/console/api/host/number-requests/{approvalId}', { params: { path, query: page } }),
    placeholderData: keepPreviousData,
  });
  // By entry: nothing is kept after the dialog.
  const [revealed, setRevealed] = useState<ReadonlyMap<string, string>>(new Map());
  const reveal = useAct({
    act: () =>
      answer(
        api.POST('/console/api/host/number-requests/{approvalId}/reveal', { params: { path }, body: page }),
      ) as Promise<AnswerOf<'revealRequestedNumbers'>>,
    done: t.revealed,
    onDone: ({ rows }) =>
      setRevealed(new Map([...revealed, ...rows.map((one) => [one.entryId, one.phoneNumber] as const)])),
  });
  const isHidden = numbers.data?.rows.some(({ entryId }) => !revealed.has(entryId)) === true;
  const columns = useColumns(revealed);
  return (
    <Stack gap="sm" align="stretch">
      {mayReveal && isHidden && (
        <Button
          size="xs"
          variant="default"
          loading={reveal.isPending}
          onClick={() => reveal.mutate(undefined)}
          style={{ alignSelf: 'flex-start' }}
        >
          {t.reveal}
        </Button>
      )}
      <DataTable
        label={t.title}
        columns={columns}
        rows={numbers.data?.rows}
        rowKey={({ entryId }) => entryId}
        skeletonRows={2}
        error={numbers.error}
        onRetry={() => void numbers.refetch()}
        paging={pagingOf(numbers.data?.next ?? null)}
        empty={null}
      />
    </Stack>
  );
}

function useColumns(revealed: ReadonlyMap<string, string>): readonly Column<RequestedNumber>[] {
  const t = useWords(WORDS);
  return useMemo(
    () => [
      {
        id: 'number',
        header: t.number,
        isHeading: true,
        cell: ({ entryId, phoneNumber }) => <Masked masked={revealed.get(entryId) ?? phoneNumber} />,
      },
      { id: 'reason', header: t.reason, onPhone: 'plain', cell: ({ reason }) => reason ?? t.hidden },
      {
        id: 'expires',
        header: t.expires,
        cell: ({ expiresAt }) => (expiresAt === null ? t.never : <Time at={expiresAt} />),
      },
    ],
    [t, revealed],
  );
}

const WORDS = words({
  en: {
    show: 'View numbers',
    title: 'Requested numbers',
    reveal: 'Show phone numbers',
    revealed: 'Personal data shown. This was recorded in the audit log.',
    number: 'Phone number',
    reason: 'Reason',
    hidden: 'Hidden',
    expires: 'Expires',
    never: 'Never',
  },
  fr: {
    show: 'Voir les numéros',
    title: 'Numéros demandés',
    reveal: 'Afficher les numéros',
    revealed: 'Données personnelles affichées. Cela a été enregistré dans le journal d’audit.',
    number: 'Numéro',
    reason: 'Motif',
    hidden: 'Masqué',
    expires: 'Expiration',
    never: 'Jamais',
  },
});
