import { Button, Collapse, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { KIND_WORDS, PAYMENT_KINDS } from '../../parts/kind-words.ts';
import { MerchantSelect } from '../../parts/merchant-select.tsx';
import { useCatalogue, useNames } from '../../parts/names.tsx';
import { STATE_WORDS } from '../../parts/state-words.ts';
import { countFilters, readFilters, type Filters } from './filters.ts';
import type { ListOwner } from './payment-calls.ts';

type FilterBarProps = {
  readonly owner: ListOwner;
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
};

/** One field for everything that names a payment, and below it what payments are like. */
export function FilterBar({ owner, filters, onChange }: FilterBarProps) {
  const said = useWords(WORDS);
  const count = countFilters(filters);
  const [isOpen, { toggle }] = useDisclosure(count > 0);
  const set = (changed: Filters) => onChange(readFilters({ ...filters, ...changed }));
  return (
    <Stack gap="xs" role="search">
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <SearchField
          key={filters.search}
          search={filters.search ?? ''}
          onSearch={(search) => set({ search })}
        />
        <Button
          variant="default"
          leftSection={<Icon name="filter" sizePx={16} />}
          aria-expanded={isOpen}
          onClick={toggle}
          style={{ flexShrink: 0 }}
        >
          {count === 0 ? said.filters : said.filtersSet(count)}
        </Button>
      </Group>
      <Collapse expanded={isOpen}>
        <Fields owner={owner} filters={filters} set={set} onClear={() => onChange({})} />
      </Collapse>
    </Stack>
  );
}

type SearchFieldProps = { readonly search: string; readonly onSearch: (search: string) => void };

function SearchField({ search, onSearch }: SearchFieldProps) {
  const said = useWords(WORDS);
  const [typed, setTyped] = useState(search);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  return (
    <form onSubmit={submit} style={{ flexGrow: 1, maxWidth: 560 }}>
      <TextInput
        type="search"
        aria-label={said.search}
        placeholder={said.searchHint}
        leftSection={<Icon name="search" sizePx={16} />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          // The cross that empties the field shall do it at once.
          if (event.currentTarget.value === '' && search !== '') onSearch('');
        }}
      />
    </form>
  );
}

const STATE_CHOICES = [
  'COMPLETED',
  'FAILED',
  'ACCEPTED,PROCESSING',
  'ENQUEUED',
  'IN_RECONCILIATION',
] as const;

type FieldsProps = {
  readonly owner: ListOwner;
  readonly filters: Filters;
  readonly set: (changed: Filters) => void;
  readonly onClear: () => void;
};

function Fields({ owner, filters, set, onClear }: FieldsProps) {
  const said = useWords(WORDS);
  const states = useWords(STATE_WORDS);
  const kinds = useWords(KIND_WORDS);
  const names = useNames();
  const providers = useProviders(owner ?? filters.merchantId ?? null);
  const all = { value: '', label: said.all };
  const labelOf = (choice: (typeof STATE_CHOICES)[number]) =>
    choice === 'ACCEPTED,PROCESSING' ? said.inProgress : states[choice];
  return (
    <SimpleGrid cols={{ base: 2, sm: 4, lg: 5 }} spacing="xs" verticalSpacing="xs">
      {owner === null && (
        <MerchantFilter
          key={filters.merchantId}
          merchantId={filters.merchantId ?? ''}
          onSet={(merchantId) =>
            // Amounts of all merchants are in no index.
            set({ merchantId, ...(merchantId === '' && { amountMin: '', amountMax: '' }) })
          }
        />
      )}
      <NativeSelect
        label={said.state}
        value={filters.states ?? ''}
        data={[all, ...STATE_CHOICES.map((value) => ({ value, label: labelOf(value) }))]}
        onChange={(event) => set({ states: event.currentTarget.value })}
      />
      <NativeSelect
        label={said.kind}
        value={filters.kinds ?? ''}
        data={[all, ...PAYMENT_KINDS.map((value) => ({ value, label: kinds[value] }))]}
        onChange={(event) => set({ kinds: event.currentTarget.value })}
      />
      <NativeSelect
        label={said.provider}
        value={filters.providers ?? ''}
        data={[all, ...providers.map((value) => ({ value, label: names.provider(value) }))]}
        onChange={(event) => set({ providers: event.currentTarget.value })}
      />
      <DayField label={said.from} value={filters.from ?? ''} onChange={(from) => set({ from })} />
      <DayField label={said.to} value={filters.to ?? ''} onChange={(to) => set({ to })} />
      {(owner !== null || filters.merchantId !== undefined) && (
        <>
          <AmountField
            key={`min ${filters.amountMin}`}
            label={said.amountMin}
            value={filters.amountMin ?? ''}
            onSet={(amountMin) => set({ amountMin })}
          />
          <AmountField
            key={`max ${filters.amountMax}`}
            label={said.amountMax}
            value={filters.amountMax ?? ''}
            onSet={(amountMax) => set({ amountMax })}
          />
        </>
      )}
      <Button
        variant="subtle"
        disabled={Object.keys(filters).length === 0}
        onClick={onClear}
        style={{ alignSelf: 'end' }}
      >
        {said.clear}
      </Button>
    </SimpleGrid>
  );
}

/** Those that are active for a merchant; all of them for the platform. In the order of their names. */
function useProviders(merchantId: string | null): readonly string[] {
  const names = useNames();
  const catalogue = useCatalogue();
  const used = useQuery({
    ...reading('/console/api/merchants/{merchantId}/providers', {
      params: { path: { merchantId: merchantId ?? '' } },
    }),
    enabled: merchantId !== null,
  });
  const listed = (merchantId === null ? catalogue : used).data?.providers ?? [];
  return listed
    .map(({ provider }) => provider)
    .toSorted((a, b) => names.provider(a).localeCompare(names.provider(b)));
}

type MerchantFilterProps = { readonly merchantId: string; readonly onSet: (merchantId: string) => void };

/** The address holds only the identifier: the name is asked for. */
function MerchantFilter({ merchantId, onSet }: MerchantFilterProps) {
  const { data } = useQuery({
    ...reading('/console/api/host/merchants/{merchantId}', { params: { path: { merchantId } } }),
    enabled: merchantId !== '',
  });
  const name = data?.name ?? merchantId.slice(0, 8);
  return (
    <MerchantSelect
      chosen={merchantId === '' ? null : { merchantId, name }}
      onChange={(chosen) => onSet(chosen?.merchantId ?? '')}
    />
  );
}

type AmountFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onSet: (amount: string) => void;
};

const AMOUNT = /^(0|[1-9][0-9]{0,17})([.][0-9]{1,4})?$/;

/** Searched for when it is left or entered: half an amount is another one. */
function AmountField({ label, value, onSet }: AmountFieldProps) {
  const said = useWords(WORDS);
  const [typed, setTyped] = useState(value);
  const amount = typed.trim().replace(',', '.');
  const isRight = amount === '' || AMOUNT.test(amount);
  const enter = () => {
    if (isRight && amount !== value) onSet(amount);
  };
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      value={typed}
      error={isRight ? null : said.noAmount}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={enter}
      onKeyDown={(event) => {
        if (event.key === 'Enter') enter();
      }}
    />
  );
}

const WORDS = words({
  en: {
    search: 'Search payments',
    searchHint: 'Payment ID, reference, phone number…',
    filters: 'Filters',
    filtersSet: (count: number) => `Filters (${count})`,
    all: 'All',
    state: 'Status',
    inProgress: 'In progress',
    kind: 'Type',
    provider: 'Provider',
    from: 'From',
    to: 'To',
    amountMin: 'Min amount',
    amountMax: 'Max amount',
    noAmount: 'Enter an amount, e.g. 1500 or 12.50',
    clear: 'Clear all',
  },
  fr: {
    search: 'Rechercher des paiements',
    searchHint: 'Identifiant, référence, numéro…',
    filters: 'Filtres',
    filtersSet: (count: number) => `Filtres (${count})`,
    all: 'Tous',
    state: 'Statut',
    inProgress: 'En cours',
    kind: 'Type',
    provider: 'Opérateur',
    from: 'Du',
    to: 'Au',
    amountMin: 'Montant min.',
    amountMax: 'Montant max.',
    noAmount: 'Saisissez un montant, p. ex. 1500 ou 12.50',
    clear: 'Tout effacer',
  },
});
