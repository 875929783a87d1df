import { Anchor, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { WaitingApprovals } from '../../parts/approval-list.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { formatDay } from '../../parts/days.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ProviderName } from '../../parts/names.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { DayStatus } from './day-status.tsx';

type CloseAccount = AnswerOf<'listCloseAccounts'>['rows'][number];

const WAITING_KINDS = [
  'DAY_CLOSE',
  'DAY_REOPEN',
  'FIRST_DAY',
  'OPERATOR_REPORT',
  'REPORT_READING',
  'FILE_VOID',
] as const;

/** Operator accounts whose days are closed in this cell. */
export function CloseAccountsScreen() {
  const t = useWords(WORDS);
  const accounts = useQuery(reading('/console/api/host/daily-closes', {}));
  const columns = useColumns();
  return (
    <Page title={t.title} hint={t.hint}>
      <DataTable
        label={t.accounts}
        columns={columns}
        rows={accounts.data?.rows}
        rowKey={({ provider, currency }) => `${provider} ${currency}`}
        skeletonRows={3}
        error={accounts.error}
        onRetry={() => void accounts.refetch()}
        empty={
          <EmptyState icon="calendar" title={t.none}>
            {t.noneHint}
          </EmptyState>
        }
      />
      <WaitingApprovals kinds={WAITING_KINDS} />
    </Page>
  );
}

function useColumns(): readonly Column<CloseAccount>[] {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  return useMemo(
    () => [
      {
        id: 'account',
        header: t.account,
        isHeading: true,
        cell: ({ provider, currency }) => (
          <Group gap={6}>
            <Anchor
              inherit
              renderRoot={(props) => (
                <Link to="/host/daily-close/$provider/$currency" params={{ provider, currency }} {...props} />
              )}
            >
              <ProviderName code={provider} />
            </Anchor>
            {currency}
          </Group>
        ),
      },
      {
        id: 'last',
        header: t.last,
        cell: ({ lastDay }) => (lastDay === null ? t.never : formatDay(lastDay, language)),
      },
      { id: 'next', header: t.next, cell: ({ nextDay }) => formatDay(nextDay, language) },
      {
        id: 'due',
        header: t.due,
        cell: ({ dueAt, isLate }) => (
          <Group gap={6}>
            <Time at={dueAt} isExact />
            {isLate && <DayStatus status="OPEN" isLate />}
          </Group>
        ),
      },
    ],
    [t, language],
  );
}

const WORDS = words({
  en: {
    title: 'Daily close',
    hint: 'Compares our books with the operator’s report and the bank, day by day. Two people sign each day.',
    accounts: 'Operator accounts',
    account: 'Operator account',
    last: 'Last signed day',
    never: 'None',
    next: 'Next day',
    due: 'Sign by',
    none: 'No operator account is followed here',
    noneHint:
      'Start with: malipo-server daily-close start. If you have several cells, use the dashboard of the cell where ' +
      'it was started.',
  },
  fr: {
    title: 'Clôture journalière',
    hint: 'Compare nos comptes avec le relevé de l’opérateur et la banque, jour par jour. Deux personnes signent.',
    accounts: 'Comptes chez les opérateurs',
    account: 'Compte opérateur',
    last: 'Dernière journée signée',
    never: 'Aucune',
    next: 'Journée suivante',
    due: 'À signer avant',
    none: 'Aucun compte opérateur n’est suivi ici',
    noneHint:
      'Commencez par : malipo-server daily-close start. Avec plusieurs cellules, ouvrez le tableau de bord de celle ' +
      'qui suit le compte.',
  },
});
