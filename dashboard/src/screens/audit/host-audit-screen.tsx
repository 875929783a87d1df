import { Group, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { ACT_WORDS } from '../../parts/act-words.ts';
import { AuditTable } from '../../parts/audit-table.tsx';
import { useCursor } from '../../parts/cursor.ts';
import type { Column } from '../../parts/data-table.tsx';
import { MerchantSelect, type ChosenMerchant } from '../../parts/merchant-select.tsx';
import { Page } from '../../parts/page.tsx';

type Entry = AnswerOf<'listHostAudit'>['rows'][number];

/** Every manual action: by merchant, by person, by action. */
export function HostAuditScreen() {
  const said = useWords(WORDS);
  const acts = useWords(ACT_WORDS);
  const [merchant, setMerchant] = useState<ChosenMerchant | null>(null);
  const [typed, setTyped] = useState('');
  const [act, setAct] = useState<string | null>(null);
  const [actor] = useDebouncedValue(typed.trim(), 250);
  const { cursor, pagingOf, restart } = useCursor();
  const merchantId = merchant?.merchantId;
  // Another filter is another list, which begins at its top.
  useEffect(restart, [merchantId, actor, act]);
  const query = {
    ...(merchantId === undefined ? {} : { merchantId }),
    ...(actor === '' ? {} : { actor }),
    ...(act === null ? {} : { act }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  const log = useQuery({
    ...reading('/console/api/host/audit', { params: { query } }),
    placeholderData: keepPreviousData,
  });
  const more = useMore();
  return (
    <Page title={said.title} hint={said.hint}>
      <Group gap="sm" align="flex-end">
        <MerchantSelect chosen={merchant} onChange={setMerchant} />
        <TextInput
          label={said.actor}
          placeholder={said.actorHint}
          type="search"
          w="100%"
          maw={260}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Select
          label={said.act}
          placeholder={said.allActs}
          searchable
          clearable
          w="100%"
          maw={260}
          data={Object.entries(acts).map(([value, label]) => ({ value, label }))}
          value={act}
          onChange={setAct}
        />
      </Group>
      <AuditTable
        entries={log.data?.rows}
        paging={pagingOf(log.data?.next ?? null)}
        error={log.error}
        onRetry={() => void log.refetch()}
        more={more}
      />
    </Page>
  );
}

function useMore(): readonly Column<Entry>[] {
  const said = useWords(WORDS);
  return useMemo(
    () => [
      { id: 'merchant', header: said.merchant, cell: ({ merchant }) => merchant ?? '' },
      {
        id: 'reason',
        header: said.reason,
        cell: ({ reason }) =>
          reason !== null && (
            <Text component="span" size="sm" style={{ overflowWrap: 'anywhere' }}>
              {reason}
            </Text>
          ),
      },
    ],
    [said],
  );
}

const WORDS = words({
  en: {
    title: 'Audit log',
    hint: 'Every manual action. Entries can’t be edited or deleted.',
    merchant: 'Merchant',
    reason: 'Reason',
    actor: 'Person',
    actorHint: 'Full e-mail address',
    act: 'Action',
    allActs: 'All actions',
  },
  fr: {
    title: 'Journal d’audit',
    hint: 'Toutes les actions manuelles. Les entrées ne peuvent être ni modifiées ni supprimées.',
    merchant: 'Marchand',
    reason: 'Motif',
    actor: 'Personne',
    actorHint: 'Adresse e-mail complète',
    act: 'Action',
    allActs: 'Toutes les actions',
  },
});
