import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { useLanguage, useWords, words, type Language } from '../../language.tsx';
import { CountryName } from '../../parts/country-name.tsx';
import { DataTable, type Column, type Paging } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatCount } from '../../parts/figures.ts';
import { Icon } from '../../parts/icon.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useNames } from '../../parts/names.tsx';
import { dayIn, startOfDay, useTimeZone, zoneName } from '../../parts/time-zone.ts';
import { walletLabel } from '../../parts/wallet-name.ts';

type Statement = AnswerOf<'listStatements'>['rows'][number];

type StatementTableProps = {
  readonly merchantId: string;
  readonly rows: readonly Statement[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly paging: Paging;
};

export function StatementTable({ merchantId, ...rest }: StatementTableProps) {
  const said = useWords(WORDS);
  const { language } = useLanguage();
  const names = useNames();
  const timeZone = useTimeZone();
  const columns = useMemo(
    (): readonly Column<Statement>[] => [
      {
        id: 'wallet',
        header: said.wallet,
        isHeading: true,
        cell: ({ wallet }) => <CountryName code={wallet.country}>{walletLabel(wallet, names)}</CountryName>,
      },
      {
        id: 'span',
        header: said.span(zoneName(timeZone)),
        onPhone: 'plain',
        cell: (statement) => periodOf(statement, timeZone, language),
      },
      {
        id: 'status',
        header: said.status,
        onPhone: 'end',
        cell: ({ status }) => <StateBadge state={status}>{said.states[status]}</StateBadge>,
      },
      {
        id: 'rows',
        header: said.rows,
        align: 'end',
        cell: ({ rowCount }) => (rowCount === null ? '–' : formatCount(rowCount, language)),
      },
      { id: 'asked', header: said.asked, cell: ({ createdAt }) => <Time at={createdAt} /> },
      {
        id: 'acts',
        header: said.acts,
        isActions: true,
        cell: (statement) =>
          statement.isReady && <FetchButton merchantId={merchantId} statement={statement} />,
      },
    ],
    [said, language, names, timeZone, merchantId],
  );
  return (
    <DataTable
      label={said.statements}
      columns={columns}
      rowKey={({ statementId }) => statementId}
      skeletonRows={3}
      empty={
        <EmptyState icon="statement" title={said.none}>
          {said.noneHint}
        </EmptyState>
      }
      {...rest}
    />
  );
}

type FetchButtonProps = { readonly merchantId: string; readonly statement: Statement };

function FetchButton({ merchantId, statement }: FetchButtonProps) {
  const said = useWords(WORDS);
  const names = useNames();
  const { statementId, fileBytes, wallet } = statement;
  const fetchFile = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/statements/{statementId}/fetch', {
          params: { path: { merchantId, statementId } },
        }),
      ),
    // A file to keep: the screen stays where it is.
    onDone: ({ path }) => window.location.assign(path),
  });
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon name="download" sizePx={14} />}
      loading={fetchFile.isPending}
      aria-label={`${said.fetch} · ${walletLabel(wallet, names)}`}
      onClick={() => fetchFile.mutate(undefined)}
    >
      {said.fetch} ({sizeOf(fileBytes ?? 0)})
    </Button>
  );
}

/** Days, the last one included; with times where it does not begin or end with a day, as those of the API can. */
function periodOf({ startsAt, endsAt }: Statement, timeZone: string, language: Language): string {
  const isOfDays = [startsAt, endsAt].every(
    (at) => startOfDay(dayIn(timeZone, new Date(at)), timeZone).getTime() === new Date(at).getTime(),
  );
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'fr', {
    dateStyle: 'medium',
    ...(!isOfDays && { timeStyle: 'short' }),
    timeZone,
  });
  const last = new Date(new Date(endsAt).getTime() - (isOfDays ? 1 : 0));
  const [first, end] = [format.format(new Date(startsAt)), format.format(last)];
  return first === end ? first : `${first} – ${end}`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const WORDS = words({
  en: {
    statements: 'Statements',
    wallet: 'Wallet',
    span: (zone: string) => `Period (${zone})`,
    status: 'Status',
    states: { PROCESSING: 'In progress', COMPLETED: 'Ready', FAILED: 'Failed' },
    rows: 'Movements',
    asked: 'Created',
    acts: 'Actions',
    fetch: 'Download',
    none: 'No statements yet',
    noneHint: 'Create one with “New statement”. It is ready in seconds and kept for a month.',
  },
  fr: {
    statements: 'Relevés',
    wallet: 'Portefeuille',
    span: (zone: string) => `Période (${zone})`,
    status: 'Statut',
    states: { PROCESSING: 'En cours', COMPLETED: 'Prêt', FAILED: 'Échoué' },
    rows: 'Mouvements',
    asked: 'Créé',
    acts: 'Actions',
    fetch: 'Télécharger',
    none: 'Aucun relevé pour le moment',
    noneHint: 'Créez-en un avec « Nouveau relevé ». Il est prêt en quelques secondes et conservé un mois.',
  },
});
