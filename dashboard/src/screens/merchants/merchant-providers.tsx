import { Checkbox, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { CountryName } from '../../parts/country-name.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { KIND_WORDS, PAYMENT_KINDS, type PaymentKind } from '../../parts/kind-words.ts';
import { FilterInput, fits } from '../../parts/filter-input.tsx';
import { useNames } from '../../parts/names.tsx';
import type { Merchant } from './merchant-screen.tsx';

type Provider = AnswerOf<'listProviders'>['providers'][number];
type Switching = {
  readonly providers: readonly string[];
  readonly operations: readonly PaymentKind[];
  readonly to: 'ON' | 'OFF';
};

/** Which providers are on for a merchant, each for each kind of payment. */
export function MerchantProviders({ merchant }: { readonly merchant: Merchant }) {
  const said = useWords(WORDS);
  const { may } = useHost();
  const names = useNames();
  const [filter, setFilter] = useState('');
  const providers = useQuery(reading('/console/api/host/providers', {}));
  const columns = useColumns(merchant, may('merchants:write'));
  const rows = useMemo(
    () =>
      providers.data?.providers.filter((one) =>
        fits(filter, [one.name, one.provider, names.country(one.country)]),
      ),
    [providers.data, filter, names],
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <FilterInput label={said.filter} value={filter} onChange={setFilter} />
        {may('merchants:write') && <SwitchAll merchant={merchant} providers={rows ?? []} />}
      </Group>
      <DataTable
        label={said.providers}
        columns={columns}
        rows={rows}
        rowKey={({ provider }) => provider}
        error={providers.error}
        onRetry={() => void providers.refetch()}
        empty={<EmptyState icon="providers" title={said.none} />}
      />
    </Stack>
  );
}

function useSwitching(merchantId: string, done?: string) {
  return useAct({
    act: ({ providers, operations, to }: Switching) =>
      answer(
        api.PUT('/console/api/host/merchants/{merchantId}/providers', {
          params: { path: { merchantId } },
          body: { providers: [...providers], operations: [...operations], to },
        }),
      ),
    ...(done === undefined ? {} : { done }),
  });
}

function useColumns(merchant: Merchant, mayChange: boolean): readonly Column<Provider>[] {
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
        cell: ({ name }) => name,
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
        cell: (provider: Provider) => (
          <Cell merchant={merchant} provider={provider} kind={kind} mayChange={mayChange} />
        ),
      })),
    ],
    [said, kinds, names, merchant, mayChange],
  );
}

type CellProps = {
  readonly merchant: Merchant;
  readonly provider: Provider;
  readonly kind: PaymentKind;
  readonly mayChange: boolean;
};

function Cell({ merchant, provider, kind, mayChange }: CellProps) {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const names = useNames();
  const change = useSwitching(merchant.merchantId);
  const active = merchant.providers.find((one) => one.provider === provider.provider)?.operations ?? [];
  const isOn = change.isPending ? change.variables.to === 'ON' : active.includes(kind);
  return (
    <Checkbox
      aria-label={`${kinds[kind]}, ${names.provider(provider.provider)}`}
      checked={isOn}
      // Those who may only look see it in full colour too.
      {...(mayChange
        ? { disabled: change.isPending }
        : { readOnly: true, 'aria-readonly': true, style: { pointerEvents: 'none' as const } })}
      title={isOn ? said.on : said.off}
      onChange={({ currentTarget }) => {
        if (!mayChange) return;
        const to = currentTarget.checked ? 'ON' : 'OFF';
        change.mutate({ providers: [provider.provider], operations: [kind], to });
      }}
    />
  );
}

type SwitchAllProps = { readonly merchant: Merchant; readonly providers: readonly Provider[] };

/** For onboarding: everything that the filter shows, at once. */
function SwitchAll({ merchant, providers }: SwitchAllProps) {
  const said = useWords(WORDS);
  const names = useWords(KIND_WORDS);
  const change = useSwitching(merchant.merchantId, said.switched);
  const [kinds, setKinds] = useState<readonly PaymentKind[]>(PAYMENT_KINDS);
  const question = (text: string) => (
    <Stack gap="sm">
      <Text>{text}</Text>
      <Checkbox.Group
        label={said.forKinds}
        value={[...kinds]}
        onChange={(values) => setKinds(PAYMENT_KINDS.filter((kind) => values.includes(kind)))}
      >
        <Group mt="xs" gap="md">
          {PAYMENT_KINDS.map((kind) => (
            <Checkbox key={kind} value={kind} label={names[kind]} />
          ))}
        </Group>
      </Checkbox.Group>
    </Stack>
  );
  const switchTo = (to: 'ON' | 'OFF') =>
    change.mutateAsync({ providers: providers.map(({ provider }) => provider), operations: kinds, to });
  const shared = { isDisabled: providers.length === 0, isPending: change.isPending };
  return (
    <Group gap="xs">
      <ConfirmButton
        {...shared}
        label={said.allOn}
        isDangerous={false}
        question={question(said.onQuestion(providers.length))}
        onConfirm={() => switchTo('ON')}
      />
      <ConfirmButton
        {...shared}
        label={said.allOff}
        question={question(said.offQuestion(providers.length))}
        onConfirm={() => switchTo('OFF')}
      />
    </Group>
  );
}

const WORDS = words({
  en: {
    providers: 'Providers of this merchant',
    filter: 'Filter by name or country',
    provider: 'Provider',
    country: 'Country',
    on: 'Enabled',
    off: 'Disabled',
    none: 'No matching providers',
    allOn: 'Enable all',
    allOff: 'Disable all',
    forKinds: 'For',
    onQuestion: (count: number) => `Enable the ${count} providers in the list for this merchant?`,
    offQuestion: (count: number) =>
      `Disable the ${count} providers in the list for this merchant? New payments through them are rejected.`,
    switched: 'Providers updated.',
  },
  fr: {
    providers: 'Opérateurs de ce marchand',
    filter: 'Filtrer par nom ou pays',
    provider: 'Opérateur',
    country: 'Pays',
    on: 'Activé',
    off: 'Désactivé',
    none: 'Aucun opérateur correspondant',
    allOn: 'Tout activer',
    allOff: 'Tout désactiver',
    forKinds: 'Pour',
    onQuestion: (count: number) => `Activer les ${count} opérateurs de la liste pour ce marchand ?`,
    offQuestion: (count: number) =>
      `Désactiver les ${count} opérateurs de la liste pour ce marchand ? Leurs nouveaux paiements sont refusés.`,
    switched: 'Opérateurs mis à jour.',
  },
});
