import { Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { AnswerOf } from '../api/client.ts';
import { useWords, words } from '../language.tsx';
import { ACT_WORDS } from './act-words.ts';
import { DataTable, type Column, type Paging } from './data-table.tsx';
import { EmptyState } from './empty-state.tsx';
import { Time } from './time.tsx';

export type AuditEntry = AnswerOf<'listAudit'>['rows'][number];

type AuditTableProps<Entry extends AuditEntry> = {
  readonly entries: readonly Entry[] | undefined;
  readonly paging: Paging;
  readonly error: Error | null;
  readonly onRetry: () => void;
  /** Columns of a longer log, behind what was done: whose it was, and why. Keep the list itself (useMemo). */
  readonly more?: readonly Column<Entry>[];
  /** Left out where it is the subject: the screen is about it already. */
  readonly about?: string;
};

/** The audit log, of a merchant or of the whole gateway. */
export function AuditTable<Entry extends AuditEntry>(props: AuditTableProps<Entry>) {
  const { entries, paging, error, onRetry, more, about } = props;
  const said = useWords(WORDS);
  const acts = useWords(ACT_WORDS);
  const columns = useMemo(
    (): readonly Column<Entry>[] => [
      {
        id: 'act',
        header: said.act,
        isHeading: true,
        cell: ({ act }) => acts[act] ?? act.replaceAll('_', ' ').toLowerCase(),
      },
      { id: 'actor', header: said.actor, onPhone: 'plain', cell: ({ actor }) => actor },
      { id: 'at', header: said.at, onPhone: 'plain', cell: ({ at }) => <Time at={at} isExact /> },
      ...(more ?? []),
      {
        id: 'facts',
        header: said.facts,
        onPhone: 'plain',
        cell: (entry) => <Facts entry={entry} about={about} />,
      },
    ],
    [said, acts, more, about],
  );
  return (
    <DataTable
      label={said.log}
      columns={columns}
      rows={entries}
      rowKey={({ entryId }) => entryId}
      paging={paging}
      error={error}
      onRetry={onRetry}
      empty={
        <EmptyState icon="audit" title={said.nothing}>
          {said.nothingHint}
        </EmptyState>
      }
    />
  );
}

/** What was acted on, then codes and identifiers of the act. */
function Facts({ entry, about }: { readonly entry: AuditEntry; readonly about: string | undefined }) {
  return (
    <Group gap="0 12px" fz="sm" maw={460} style={{ overflowWrap: 'anywhere' }}>
      {entry.subject !== about && <span>{entry.subject}</span>}
      {entry.detail.map(({ name, value }) => (
        <Text key={name} component="span" inherit c="dimmed">
          {name}: {value}
        </Text>
      ))}
    </Group>
  );
}

const WORDS = words({
  en: {
    log: 'Audit log',
    act: 'Action',
    actor: 'Person',
    at: 'Time',
    facts: 'Details',
    nothing: 'No entries yet',
    nothingHint: 'Changes, approvals and views of personal data are recorded here.',
  },
  fr: {
    log: 'Journal d’audit',
    act: 'Action',
    actor: 'Personne',
    at: 'Heure',
    facts: 'Détails',
    nothing: 'Aucune entrée pour le moment',
    nothingHint:
      'Les modifications, les approbations et l’affichage de données personnelles sont enregistrés ici.',
  },
});
