import { Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { AnswerOf } from '../api/client.ts';
import { useWords, words } from '../language.tsx';
import { ACT_WORDS } from './act-words.ts';
import { KIND_OF_APPROVAL_WORDS } from './approval-words.ts';
import { readCodes } from './code-words.ts';
import { DataTable, type Column, type Paging } from './data-table.tsx';
import { readValue, useReader, type Reader } from './detail-values.ts';
import { DETAIL_WORDS } from './detail-words.ts';
import { EmptyState } from './empty-state.tsx';
import { limitTitle } from './limit-words.ts';
import { Time } from './time.tsx';
import { readWalletCode, walletLabel } from './wallet-name.ts';

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

/** What was acted on, then what is to be known of the act. */
function Facts({ entry, about }: { readonly entry: AuditEntry; readonly about: string | undefined }) {
  const said = useWords(WORDS);
  const labels = useWords(DETAIL_WORDS);
  const approvals: Readonly<Record<string, { readonly name: string }>> = useWords(KIND_OF_APPROVAL_WORDS);
  const reader = useReader();
  const { act, subject } = entry;
  const detail = entry.detail.filter(({ name, value }) => value !== '' && !isRepeated(entry, name, value));
  const isApproval = act.startsWith('APPROVAL_');
  return (
    <Group gap="0 12px" fz="sm" miw={{ base: 0, md: 220 }} maw={460} style={{ overflowWrap: 'anywhere' }}>
      {subject !== about && <span>{readSubject(entry, reader)}</span>}
      {detail.map(({ name, value }) => (
        <Text key={name} component="span" inherit c="dimmed">
          {isApproval && name === 'kind'
            ? said.fact(said.request, approvals[value]?.name ?? value)
            : said.fact(labels[name] ?? name, readValue(name, value, reader))}
        </Text>
      ))}
    </Group>
  );
}

/** What a request is about is often one of its details. */
function isRepeated({ detail }: AuditEntry, name: string, value: string): boolean {
  return name === 'about' && detail.some((other) => other.name !== 'about' && other.value === value);
}

/** "Rwanda (RWF)", "Payouts per day · Each API token"; identifiers and what people named stay. */
function readSubject({ act, subject }: AuditEntry, { language, names }: Reader): string {
  if (act.startsWith('LIMIT_')) return limitTitle(subject, language);
  if (act.startsWith('WALLET_')) return walletLabel(readWalletCode(subject.replaceAll(' ', '-')), names);
  const isNamed = act.startsWith('PUBLIC_KEY_') || act.startsWith('OPERATOR_');
  return isNamed ? subject : readCodes(subject, language, names);
}

const WORDS = words({
  en: {
    log: 'Audit log',
    act: 'Action',
    actor: 'Person',
    at: 'Time',
    facts: 'Details',
    request: 'Request',
    fact: (label: string, value: string) => `${label}: ${value}`,
    nothing: 'No entries yet',
    nothingHint: 'Changes, approvals and views of personal data are recorded here.',
  },
  fr: {
    log: 'Journal d’audit',
    act: 'Action',
    actor: 'Personne',
    at: 'Heure',
    facts: 'Détails',
    request: 'Demande',
    fact: (label: string, value: string) => `${label} : ${value}`,
    nothing: 'Aucune entrée pour le moment',
    nothingHint:
      'Les modifications, les approbations et l’affichage de données personnelles sont enregistrés ici.',
  },
});
