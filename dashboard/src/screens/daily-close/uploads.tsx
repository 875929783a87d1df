import { Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Section } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import type { AccountName } from './days.tsx';
import { REPORT_FAULT_WORDS, type Fault, type Upload } from './fault-words.ts';
import { RefusedReport } from './refused-report.tsx';
import { UploadForm } from './upload-form.tsx';
import { VoidFileButton } from './void-file.tsx';

const POLL_MS = 1_000;

/** Uploads a file; below, those of late, with their progress and the lines that could not be read. */
export function Uploads({ account }: { readonly account: AccountName }) {
  const t = useWords(WORDS);
  const { may } = useHost();
  const [isUploading, setUploading] = useState(false);
  const uploads = useQuery({
    ...reading('/console/api/host/daily-closes/{provider}/{currency}/uploads', {
      params: { path: account },
    }),
    refetchInterval: ({ state }) =>
      isUploading || state.data?.rows.some(({ status }) => status === 'RUNNING') === true ? POLL_MS : false,
  });
  const columns = useColumns();
  const [latest] = uploads.data?.rows ?? [];
  return (
    <Stack gap="lg">
      {may('money:move') && <UploadForm account={account} onUploading={setUploading} />}
      {latest?.status === 'REFUSED' && latest.fileId !== null && (
        <RefusedReport reportId={latest.fileId} fileName={latest.fileName} />
      )}
      {latest !== undefined && latest.faults.length > 0 && <Faults upload={latest} />}
      <Section title={t.title}>
        <DataTable
          label={t.title}
          columns={columns}
          rows={uploads.data?.rows}
          rowKey={({ uploadId }) => uploadId}
          skeletonRows={3}
          error={uploads.error}
          onRetry={() => void uploads.refetch()}
          empty={
            <EmptyState icon="upload" title={t.none}>
              {t.noneHint}
            </EmptyState>
          }
        />
      </Section>
    </Stack>
  );
}

function useColumns(): readonly Column<Upload>[] {
  const t = useWords(WORDS);
  return useMemo(
    () => [
      {
        id: 'file',
        header: t.file,
        isHeading: true,
        cell: ({ fileName, source }) => (
          <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
            <span>{fileName}</span>
            <Text component="span" size="xs" c="dimmed">
              {t[source]}
            </Text>
          </Stack>
        ),
      },
      {
        id: 'status',
        header: t.status,
        onPhone: 'plain',
        cell: (upload) => <UploadStatus upload={upload} />,
      },
      {
        id: 'faults',
        header: t.faults,
        align: 'end',
        onPhone: 'below',
        cell: ({ faultCount }) => faultCount,
      },
      {
        id: 'by',
        header: t.by,
        cell: ({ uploadedBy, startedAt }) => (
          <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
            <span>{uploadedBy}</span>
            <Text component="span" size="xs" c="dimmed">
              <Time at={startedAt} isExact />
            </Text>
          </Stack>
        ),
      },
      {
        id: 'void',
        header: t.actions,
        isActions: true,
        cell: ({ fileId, fileName, status, voiding }) =>
          fileId !== null && status !== 'REFUSED' && status !== 'RUNNING' && voiding === null ? (
            <VoidFileButton fileId={fileId} name={fileName} />
          ) : null,
      },
    ],
    [t],
  );
}

function UploadStatus({ upload }: { readonly upload: Upload }) {
  const t = useWords(WORDS);
  const { status, linesDone, linesExpected, voiding } = upload;
  if (status !== 'RUNNING')
    return (
      <Stack gap={2} align="flex-start">
        <StateBadge state={status} tone={status === 'DONE' ? 'success' : 'failure'}>
          {t.statuses[status]}
        </StateBadge>
        <Text component="span" size="xs" c="dimmed">
          {t.lines(linesDone)}
        </Text>
        {voiding !== null && (
          <StateBadge state={voiding} tone={voiding === 'VOIDED' ? 'failure' : 'quiet'}>
            {t.voidings[voiding]}
          </StateBadge>
        )}
      </Stack>
    );
  const percent = linesExpected === 0 ? 0 : Math.floor((100 * linesDone) / linesExpected);
  return (
    <Stack gap={2} miw={120}>
      <Progress value={percent} aria-label={t.statuses.RUNNING} />
      <Text component="span" size="xs" c="dimmed">
        {linesExpected === 0 ? t.statuses.RUNNING : t.done(linesDone, linesExpected)}
      </Text>
    </Stack>
  );
}

/** Of the last file: that is the one to fix. */
function Faults({ upload }: { readonly upload: Upload }) {
  const t = useWords(WORDS);
  const texts = useWords(REPORT_FAULT_WORDS);
  const { faults, faultCount, fileName, status } = upload;
  const columns = useMemo(
    (): readonly Column<Fault>[] => [
      {
        id: 'line',
        header: t.line,
        isHeading: true,
        cell: ({ line }) => (line === 0 ? t.whole : t.lineNo(line)),
      },
      { id: 'what', header: t.what, onPhone: 'plain', cell: ({ code, column }) => texts[code](column) },
    ],
    [t, texts],
  );
  return (
    <Section title={t.faulty(faultCount, fileName)} hint={status === 'FAILED' ? t.failedHint : t.faultyHint}>
      <DataTable
        label={t.faulty(faultCount, fileName)}
        columns={columns}
        rows={faults}
        rowKey={({ line, code, column }) => `${line} ${code} ${column}`}
        empty={null}
      />
      {faultCount > faults.length && (
        <Text size="sm" c="dimmed">
          {t.more(faultCount - faults.length)}
        </Text>
      )}
    </Section>
  );
}

const WORDS = words({
  en: {
    title: 'Uploaded files',
    file: 'File',
    OPERATOR: 'Operator report',
    BANK: 'Bank file',
    status: 'Status',
    statuses: { RUNNING: 'Importing', DONE: 'Imported', FAILED: 'Failed', REFUSED: 'No effect' },
    actions: 'Actions',
    voidings: { REQUESTED: 'To be voided', RUNNING: 'Being taken back', VOIDED: 'Voided' },
    lines: (count: number) => (count === 1 ? '1 line' : `${count} lines`),
    done: (done: number, expected: number) => `${done} of about ${expected} lines`,
    faults: 'Errors',
    by: 'Uploaded by',
    none: 'No files yet',
    noneHint: 'Files that platform administrators upload are listed here.',
    line: 'Line',
    lineNo: (line: number) => `Line ${line}`,
    whole: 'File',
    what: 'What to do',
    faulty: (count: number, name: string) =>
      count === 1 ? `1 error in ${name}` : `${count} errors in ${name}`,
    faultyHint: 'All other lines were imported. Fix these and upload the file again: no line counts twice.',
    failedHint: 'Fix this and upload the file again: no line counts twice.',
    more: (count: number) => `… and ${count} more.`,
  },
  fr: {
    title: 'Fichiers importés',
    file: 'Fichier',
    OPERATOR: 'Relevé de l’opérateur',
    BANK: 'Fichier de la banque',
    status: 'Statut',
    statuses: { RUNNING: 'Import en cours', DONE: 'Importé', FAILED: 'Échec', REFUSED: 'Sans effet' },
    actions: 'Actions',
    voidings: { REQUESTED: 'À annuler', RUNNING: 'Reprise en cours', VOIDED: 'Annulé' },
    lines: (count: number) => (count === 1 ? '1 ligne' : `${count} lignes`),
    done: (done: number, expected: number) => `${done} sur environ ${expected} lignes`,
    faults: 'Erreurs',
    by: 'Importé par',
    none: 'Aucun fichier',
    noneHint: 'Les fichiers importés par les administrateurs de la plateforme sont listés ici.',
    line: 'Ligne',
    lineNo: (line: number) => `Ligne ${line}`,
    whole: 'Fichier',
    what: 'Que faire',
    faulty: (count: number, name: string) =>
      count === 1 ? `1 erreur dans ${name}` : `${count} erreurs dans ${name}`,
    faultyHint:
      'Les autres lignes ont été importées. Corrigez celles-ci et importez de nouveau : aucune ligne ne compte ' +
      'deux fois.',
    failedHint: 'Corrigez cela et importez de nouveau : aucune ligne ne compte deux fois.',
    more: (count: number) => `… et ${count} de plus.`,
  },
});
