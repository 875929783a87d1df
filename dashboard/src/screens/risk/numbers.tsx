import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { WaitingApprovals } from '../../parts/approval-list.tsx';
import { useCursor } from '../../parts/cursor.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { MerchantSelect, type ChosenMerchant } from '../../parts/merchant-select.tsx';
import { AddNumberButton } from './add-number-button.tsx';
import { ExportNumbersButton, ImportNumbersButton } from './number-file-buttons.tsx';
import { useNumberColumns, type NumberList } from './number-columns.tsx';
import { NumberSearch } from './number-search.tsx';

const WAITING_KINDS = ['NUMBER_LIST'] as const;
const LISTS = ['BLOCKED', 'ALLOWED'] as const;

export function Numbers() {
  const t = useWords(WORDS);
  const { may, mayReveal } = useHost();
  const [list, setList] = useState<NumberList>('BLOCKED');
  const [merchant, setMerchant] = useState<ChosenMerchant | null>(null);
  const { cursor, pagingOf, restart } = useCursor();
  const merchantId = merchant?.merchantId;
  useEffect(restart, [list, merchantId]);
  const whose = { list, ...(merchantId === undefined ? {} : { merchantId }) };
  const query = { ...whose, ...(cursor === undefined ? {} : { cursor }) };
  const numbers = useQuery({
    ...reading('/console/api/host/listed-numbers', { params: { query } }),
    placeholderData: keepPreviousData,
  });
  const columns = useNumberColumns({ isOfAll: false });
  return (
    <Stack gap="lg">
      {mayReveal && <NumberSearch />}
      <Group gap="sm" align="flex-end">
        <SegmentedControl
          aria-label={t.list}
          data={LISTS.map((value) => ({ value, label: t[value] }))}
          value={list}
          onChange={(value) => setList(LISTS.find((one) => one === value) ?? 'BLOCKED')}
        />
        <MerchantSelect chosen={merchant} onChange={setMerchant} all={t.everyMerchant} />
      </Group>
      <Text size="sm" c="dimmed" maw={680}>
        {t.hints[list]}
      </Text>
      {may('risk:write') && (
        <Group gap="xs">
          <AddNumberButton whose={whose} merchant={merchant?.name ?? null} />
          <ImportNumbersButton whose={whose} />
          {mayReveal && <ExportNumbersButton whose={whose} />}
        </Group>
      )}
      <DataTable
        label={t[list]}
        columns={columns}
        rows={numbers.data?.rows}
        rowKey={({ entryId }) => entryId}
        skeletonRows={4}
        error={numbers.error}
        onRetry={() => void numbers.refetch()}
        paging={pagingOf(numbers.data?.next ?? null)}
        empty={
          <EmptyState icon="shield" title={t.none[list]}>
            {may('risk:write') ? t.noneHint : t.noneRead}
          </EmptyState>
        }
      />
      <WaitingApprovals kinds={WAITING_KINDS} />
    </Stack>
  );
}

const WORDS = words({
  en: {
    list: 'List',
    BLOCKED: 'Blocked numbers',
    ALLOWED: 'Allowed numbers',
    everyMerchant: 'Platform list, for every merchant',
    hints: {
      BLOCKED:
        'New payments from or to a blocked number are refused. Payments to it that were not sent are held. Another ' +
        'person must approve unblocking it.',
      ALLOWED:
        'Limits for each phone number do not count an allowed number. Another person must approve adding one.',
    },
    none: { BLOCKED: 'No blocked numbers', ALLOWED: 'No allowed numbers' },
    noneHint: 'Add a number, or import a CSV file with the columns number, reason and expires.',
    noneRead: 'Platform administrators can add numbers.',
  },
  fr: {
    list: 'Liste',
    BLOCKED: 'Numéros bloqués',
    ALLOWED: 'Numéros autorisés',
    everyMerchant: 'Liste de la plateforme, pour tous',
    hints: {
      BLOCKED:
        'Les nouveaux paiements de ou vers un numéro bloqué sont refusés. Les paiements vers lui non envoyés sont ' +
        'retenus. Une autre personne doit approuver son déblocage.',
      ALLOWED:
        'Les limites par numéro ne comptent pas un numéro autorisé. Une autre personne doit approuver son ajout.',
    },
    none: { BLOCKED: 'Aucun numéro bloqué', ALLOWED: 'Aucun numéro autorisé' },
    noneHint: 'Ajoutez un numéro, ou importez un fichier CSV avec les colonnes number, reason et expires.',
    noneRead: 'Les administrateurs de la plateforme peuvent ajouter des numéros.',
  },
});
