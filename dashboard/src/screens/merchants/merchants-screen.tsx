import { Anchor, Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { useCursor } from '../../parts/cursor.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterInput } from '../../parts/filter-input.tsx';
import { KIND_WORDS, KINDS } from '../../parts/kind-words.ts';
import { Page } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { OnboardButton } from './onboard-button.tsx';

type Listed = AnswerOf<'listMerchants'>['merchants'][number];

const SCREEN = '/host/merchants/$merchantId';

export function MerchantsScreen() {
  const said = useWords(WORDS);
  const { may } = useHost();
  const [typed, setTyped] = useState('');
  const { merchants, paging, name } = useMerchants(typed);
  const columns = useColumns();
  return (
    <Page title={said.title} hint={said.hint} actions={may('merchants:write') && <OnboardButton />}>
      <FilterInput label={said.search} value={typed} onChange={setTyped} />
      <DataTable
        label={said.title}
        columns={columns}
        rows={merchants.data?.merchants}
        rowKey={({ merchantId }) => merchantId}
        paging={paging}
        error={merchants.error}
        onRetry={() => void merchants.refetch()}
        empty={
          <EmptyState
            icon="merchants"
            title={name === '' ? said.none : said.noneLike(name)}
            action={
              name !== '' && (
                <Button variant="default" onClick={() => setTyped('')}>
                  {said.clear}
                </Button>
              )
            }
          >
            {name === '' ? said.noneHint : said.noneLikeHint}
          </EmptyState>
        }
      />
    </Page>
  );
}

/** Merchants whose name contains what was typed, once typing has stopped. */
function useMerchants(typed: string) {
  const [name] = useDebouncedValue(typed.trim(), 250);
  const { cursor: after, pagingOf, restart } = useCursor();
  // Another name is another list, which begins at its top.
  useEffect(restart, [name]);
  const merchants = useQuery({
    ...reading('/console/api/host/merchants', {
      params: { query: { ...(name !== '' && { name }), ...(after !== undefined && { after }) } },
    }),
    placeholderData: keepPreviousData,
  });
  return { merchants, name, paging: pagingOf(merchants.data?.next ?? null) };
}

function useColumns(): readonly Column<Listed>[] {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  return useMemo(
    () => [
      {
        id: 'name',
        header: said.name,
        isHeading: true,
        cell: ({ merchantId, name }) => (
          <Anchor inherit renderRoot={(props) => <Link {...props} to={SCREEN} params={{ merchantId }} />}>
            {name}
          </Anchor>
        ),
      },
      {
        id: 'state',
        header: said.state,
        onPhone: 'end',
        cell: ({ isSuspended }) => (
          <StateBadge state={isSuspended ? 'SUSPENDED' : 'ACTIVE'} tone={isSuspended ? 'failure' : 'success'}>
            {isSuspended ? said.suspended : said.active}
          </StateBadge>
        ),
      },
      {
        id: 'operations',
        header: said.operations,
        onPhone: 'plain',
        cell: ({ operations }) =>
          KINDS.filter((kind) => operations.includes(kind))
            .map((kind) => kinds[kind])
            .join(', '),
      },
      { id: 'created', header: said.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    ],
    [said, kinds],
  );
}

const WORDS = words({
  en: {
    title: 'Merchants',
    hint: 'Companies that accept and send payments through this gateway.',
    search: 'Search by name',
    name: 'Name',
    state: 'Status',
    active: 'Active',
    suspended: 'Suspended',
    operations: 'Products',
    created: 'Created',
    none: 'No merchants yet',
    noneHint: 'Add the first one. Its owner gets a link to set up everything else.',
    noneLike: (name: string) => `No merchants match “${name}”`,
    noneLikeHint: 'Enter a part of the name.',
    clear: 'Show all merchants',
  },
  fr: {
    title: 'Marchands',
    hint: 'Entreprises qui encaissent et envoient de l’argent par cette passerelle.',
    search: 'Rechercher par nom',
    name: 'Nom',
    state: 'Statut',
    active: 'Actif',
    suspended: 'Suspendu',
    operations: 'Produits',
    created: 'Créé',
    none: 'Aucun marchand',
    noneHint: 'Ajoutez le premier. Son propriétaire reçoit un lien pour régler tout le reste.',
    noneLike: (name: string) => `Aucun marchand ne correspond à « ${name} »`,
    noneLikeHint: 'Saisissez une partie du nom.',
    clear: 'Afficher tous les marchands',
  },
});
