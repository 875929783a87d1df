import { Button, Group, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { CountryName } from '../../parts/country-name.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterInput, fits } from '../../parts/filter-input.tsx';
import { KIND_WORDS, PAYMENT_KINDS } from '../../parts/kind-words.ts';
import { ProviderName, useNames } from '../../parts/names.tsx';
import { Page } from '../../parts/page.tsx';
import { OperationButton, OperationDialog, type Place } from './operation-button.tsx';
import type { Provider } from './status-words.ts';

/** What the counts of calls go by is watched at this pace. */
const LIVE_MS = 5_000;

export function ProvidersScreen() {
  const said = useWords(WORDS);
  const names = useNames();
  const { provider: linked = '' } = useSearch({ from: '/signed-in/host/providers' });
  const [filter, setFilter] = useState(linked);
  const [isIssuesOnly, setIsIssuesOnly] = useState(false);
  const providers = useQuery({ ...reading('/console/api/host/providers', {}), refetchInterval: LIVE_MS });
  const [place, setPlace] = useState<Place | null>(null);
  const columns = useColumns(setPlace);
  const rows = useMemo(
    () =>
      providers.data?.providers
        .filter((one) => fits(filter, [one.name, one.provider, names.country(one.country)]))
        .filter((one) => !isIssuesOnly || hasIssues(one))
        // Those are what people look for here.
        .toSorted((a, b) => Number(hasIssues(b)) - Number(hasIssues(a))),
    [providers.data, filter, names, isIssuesOnly],
  );
  const showAll = () => {
    setFilter('');
    setIsIssuesOnly(false);
  };
  return (
    <Page title={said.title} hint={said.hint}>
      <Group gap="md">
        <FilterInput label={said.filter} value={filter} onChange={setFilter} />
        <Switch
          label={said.issuesOnly}
          checked={isIssuesOnly}
          onChange={(event) => setIsIssuesOnly(event.currentTarget.checked)}
        />
      </Group>
      <DataTable
        label={said.title}
        columns={columns}
        rows={rows}
        rowKey={({ provider }) => provider}
        error={providers.error}
        onRetry={() => void providers.refetch()}
        empty={
          <EmptyState
            icon={isIssuesOnly ? 'check' : 'providers'}
            title={isIssuesOnly ? said.calm : said.none}
            action={
              <Button variant="default" onClick={showAll}>
                {said.all}
              </Button>
            }
          >
            {isIssuesOnly ? said.calmHint : said.noneHint}
          </EmptyState>
        }
      />
      <OperationDialog
        providers={providers.data?.providers ?? []}
        place={place}
        onClose={() => setPlace(null)}
      />
    </Page>
  );
}

/** Not available, or some of its calls got no useful answer. */
function hasIssues({ operations }: Provider): boolean {
  return operations.some(({ status, failures }) => status !== 'OPERATIONAL' || failures > 0);
}

function useColumns(onOpen: (place: Place) => void): readonly Column<Provider>[] {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const names = useNames();
  return useMemo(
    () => [
      {
        id: 'name',
        header: said.provider,
        isHeading: true,
        sortBy: ({ name }) => name,
        cell: ({ name, provider }) => <ProviderName code={provider} name={name} />,
      },
      {
        id: 'country',
        header: said.country,
        sortBy: ({ country }) => names.country(country),
        onPhone: 'end',
        cell: ({ country }) => <CountryName code={country} />,
      },
      ...PAYMENT_KINDS.map((kind) => ({
        id: kind,
        header: kinds[kind],
        cell: (provider: Provider) => <OperationButton provider={provider} kind={kind} onOpen={onOpen} />,
      })),
    ],
    [said, kinds, names, onOpen],
  );
}

const WORDS = words({
  en: {
    title: 'Providers',
    hint: 'Status, and success of the calls of the last 5 minutes. Open one to set it manually.',
    filter: 'Filter by name or country',
    issuesOnly: 'Only with issues',
    provider: 'Provider',
    country: 'Country',
    none: 'No matching providers',
    noneHint: 'Enter a part of the name, the code or the country.',
    all: 'Show all providers',
    calm: 'No provider has issues',
    calmHint: 'All are operational, and no call failed in the last 5 minutes.',
  },
  fr: {
    title: 'Opérateurs',
    hint: 'Statut, et réussite des appels des 5 dernières minutes. Ouvrez-en un pour le régler manuellement.',
    filter: 'Filtrer par nom ou pays',
    issuesOnly: 'Seulement avec problèmes',
    provider: 'Opérateur',
    country: 'Pays',
    none: 'Aucun opérateur correspondant',
    noneHint: 'Saisissez une partie du nom, le code ou le pays.',
    all: 'Afficher tous les opérateurs',
    calm: 'Aucun opérateur n’a de problème',
    calmHint: 'Tous sont opérationnels, et aucun appel n’a échoué pendant les 5 dernières minutes.',
  },
});
