import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { useLanguage, useWords, words, type Language } from '../../language.tsx';
import { DataTable, type Column, type Paging } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Icon } from '../../parts/icon.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
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
  const columns = useMemo(
    (): readonly Column<Statement>[] => [
      { id: 'wallet', header: said.wallet, isHeading: true, cell: ({ wallet }) => walletLabel(wallet) },
      { id: 'span', header: said.span, cell: (statement) => spanOf(statement, language) },
      {
        id: 'status',
        header: said.status,
        cell: ({ status }) => <StateBadge state={status}>{said.states[status]}</StateBadge>,
      },
      {
        id: 'rows',
        header: said.rows,
        align: 'end',
        cell: ({ rowCount }) => (rowCount === null ? '–' : new Intl.NumberFormat(language).format(rowCount)),
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
    [said, language, merchantId],
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
      aria-label={`${said.fetch} · ${walletLabel(wallet)}`}
      onClick={() => fetchFile.mutate(undefined)}
    >
      {said.fetch} ({sizeOf(fileBytes ?? 0)})
    </Button>
  );
}

const DAY_MS = 24 * 3_600_000;

/** Days of UTC; the last one is included. */
function spanOf({ startsAt, endsAt }: Statement, language: Language): string {
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'fr', {
    dateStyle: 'medium',
    timeZone: 'UTC',
  });
  const last = new Date(new Date(endsAt).getTime() - 1);
  const isOneDay = new Date(endsAt).getTime() - new Date(startsAt).getTime() <= DAY_MS;
  return isOneDay ? format.format(last) : `${format.format(new Date(startsAt))} – ${format.format(last)}`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const WORDS = words({
  en: {
    statements: 'Statements',
    wallet: 'Wallet',
    span: 'Days (UTC)',
    status: 'Status',
    states: { PROCESSING: 'being made', COMPLETED: 'ready', FAILED: 'could not be made' },
    rows: 'Movements',
    asked: 'Asked for',
    acts: 'Acts',
    fetch: 'Download',
    none: 'No statement was asked for yet',
    noneHint:
      'Ask for one above: it is made within seconds and kept for a month. Those asked for by API appear too.',
  },
  fr: {
    statements: 'Relevés',
    wallet: 'Portefeuille',
    span: 'Jours (UTC)',
    status: 'État',
    states: { PROCESSING: 'en préparation', COMPLETED: 'prêt', FAILED: 'n’a pas pu être établi' },
    rows: 'Mouvements',
    asked: 'Demandé',
    acts: 'Actions',
    fetch: 'Télécharger',
    none: 'Aucun relevé n’a encore été demandé',
    noneHint:
      'Demandez-en un ci-dessus : il est établi en quelques secondes et gardé un mois. Ceux demandés par API ' +
      'apparaissent aussi.',
  },
});
