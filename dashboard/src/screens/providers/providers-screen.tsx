import { Group, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterInput, fits } from '../../parts/filter-input.tsx';
import { KIND_WORDS, PAYMENT_KINDS } from '../../parts/kind-words.ts';
import { Page } from '../../parts/page.tsx';
import { OperationButton, OperationDialog, type Place } from './operation-button.tsx';
import type { Provider } from './status-words.ts';

/** What the counts of calls go by is watched at this pace. */
const LIVE_MS = 5_000;

export function ProvidersScreen() {
  const said = useWords(WORDS);
  const { language } = useLanguage();
  const [filter, setFilter] = useState('');
  const [isTroubleOnly, setIsTroubleOnly] = useState(false);
  const providers = useQuery({ ...reading('/console/api/host/providers', {}), refetchInterval: LIVE_MS });
  const [place, setPlace] = useState<Place | null>(null);
  const columns = useColumns(setPlace);
  const rows = useMemo(
    () =>
      providers.data?.providers
        .filter((one) => fits(filter, [one.name, one.provider, one.countryName[language]]))
        .filter((one) => !isTroubleOnly || isInTrouble(one))
        // Whoever opens this screen looks for those.
        .toSorted((a, b) => Number(isInTrouble(b)) - Number(isInTrouble(a))),
    [providers.data, filter, language, isTroubleOnly],
  );
  return (
    <Page title={said.title} hint={said.hint}>
      <Group gap="md">
        <FilterInput label={said.filter} value={filter} onChange={setFilter} />
        <Switch
          label={said.troubleOnly}
          checked={isTroubleOnly}
          onChange={(event) => setIsTroubleOnly(event.currentTarget.checked)}
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
          <EmptyState icon="providers" title={isTroubleOnly ? said.calm : said.none}>
            {isTroubleOnly ? said.calmHint : said.noneHint}
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

/** Away, or some of its calls got no useful answer. */
function isInTrouble({ operations }: Provider): boolean {
  return operations.some(({ status, failures }) => status !== 'OPERATIONAL' || failures > 0);
}

function useColumns(onOpen: (place: Place) => void): readonly Column<Provider>[] {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const { language } = useLanguage();
  return useMemo(
    () => [
      {
        id: 'name',
        header: said.provider,
        isHeading: true,
        sortBy: ({ name }) => name,
        cell: ({ name, provider }) => (
          <Stack gap={0}>
            <span>{name}</span>
            <Text component="span" size="xs" c="dimmed" fw={400}>
              {provider}
            </Text>
          </Stack>
        ),
      },
      {
        id: 'country',
        header: said.country,
        sortBy: ({ countryName }) => countryName[language],
        cell: ({ countryName }) => countryName[language],
      },
      ...PAYMENT_KINDS.map((kind) => ({
        id: kind,
        header: kinds[kind],
        cell: (provider: Provider) => <OperationButton provider={provider} kind={kind} onOpen={onOpen} />,
      })),
    ],
    [said, kinds, language, onOpen],
  );
}

const WORDS = words({
  en: {
    title: 'Providers',
    hint: 'Live: who is available, and how calls of the last five minutes went. Open one to set it by hand.',
    filter: 'Filter by name or country',
    troubleOnly: 'Only those in trouble',
    provider: 'Provider',
    country: 'Country',
    none: 'No provider is called like this',
    noneHint: 'Try a part of its name, its code, or its country.',
    calm: 'No provider is in trouble',
    calmHint: 'All are operational, and every call of the last five minutes was answered.',
  },
  fr: {
    title: 'Opérateurs',
    hint: 'En direct : qui est disponible, et le sort des appels depuis cinq minutes. Ouvrez-en un pour le régler.',
    filter: 'Filtrer par nom ou pays',
    troubleOnly: 'Seulement ceux en difficulté',
    provider: 'Opérateur',
    country: 'Pays',
    none: 'Aucun opérateur de ce nom',
    noneHint: 'Essayez une partie du nom, le code ou le pays.',
    calm: 'Aucun opérateur en difficulté',
    calmHint: 'Tous sont opérationnels, et chaque appel des cinq dernières minutes a eu sa réponse.',
  },
});
