import { Anchor, Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { useCursor } from '../../parts/cursor.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { formatDay } from '../../parts/days.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { Time } from '../../parts/time.tsx';
import { DayStatus } from './day-status.tsx';

type ListedDay = AnswerOf<'listCloseDays'>['rows'][number];
export type AccountName = { readonly provider: string; readonly currency: string };

/** The newest first. */
export function Days({ account }: { readonly account: AccountName }) {
  const t = useWords(WORDS);
  const { cursor, pagingOf } = useCursor();
  const days = useQuery({
    ...reading('/console/api/host/daily-closes/{provider}/{currency}', {
      params: { path: account, query: cursor === undefined ? {} : { cursor } },
    }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns(account);
  return (
    <DataTable
      label={t.days}
      columns={columns}
      rows={days.data?.rows}
      rowKey={({ day }) => day}
      paging={pagingOf(days.data?.next ?? null)}
      error={days.error}
      onRetry={() => void days.refetch()}
      empty={
        <EmptyState icon="calendar" title={t.none}>
          {t.noneHint}
        </EmptyState>
      }
    />
  );
}

function useColumns({ provider, currency }: AccountName): readonly Column<ListedDay>[] {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  return useMemo(
    () => [
      {
        id: 'day',
        header: t.day,
        isHeading: true,
        cell: ({ day }) => (
          <Anchor
            inherit
            renderRoot={(props) => (
              <Link
                to="/host/daily-close/$provider/$currency/$day"
                params={{ provider, currency, day }}
                {...props}
              />
            )}
          >
            {formatDay(day, language)}
          </Anchor>
        ),
      },
      {
        id: 'status',
        header: t.status,
        onPhone: 'plain',
        cell: ({ status, isLate }) => (
          <Group gap={6}>
            <DayStatus status={status} isLate={isLate} />
          </Group>
        ),
      },
      {
        id: 'unexplained',
        header: t.unexplained,
        align: 'end',
        onPhone: 'below',
        cell: ({ unexplained }) =>
          unexplained === null ? '–' : <Money amount={unexplained} currency={currency} />,
      },
      {
        id: 'differences',
        header: t.differences,
        align: 'end',
        onPhone: 'below',
        cell: ({ differenceCount }) => differenceCount ?? '–',
      },
      {
        id: 'due',
        header: t.due,
        cell: ({ dueAt, closedAt }) =>
          closedAt === null ? (
            <Time at={dueAt} isExact />
          ) : (
            <>
              {t.signed} <Time at={closedAt} isExact />
            </>
          ),
      },
    ],
    [t, language, provider, currency],
  );
}

const WORDS = words({
  en: {
    days: 'Days',
    day: 'Day',
    status: 'Status',
    unexplained: 'Unexplained',
    differences: 'Differences',
    due: 'Sign by',
    signed: 'Signed',
    none: 'No days yet',
    noneHint: 'The first day of this account is still to come.',
  },
  fr: {
    days: 'Journées',
    day: 'Journée',
    status: 'Statut',
    unexplained: 'Écart inexpliqué',
    differences: 'Écarts',
    due: 'À signer avant',
    signed: 'Signée',
    none: 'Aucune journée',
    noneHint: 'La première journée de ce compte est encore à venir.',
  },
});
