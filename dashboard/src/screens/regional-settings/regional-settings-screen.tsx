import { Button, Group, NativeSelect, Select, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { FieldList } from '../../parts/field-list.tsx';
import { useCatalogue } from '../../parts/names.tsx';
import { Page } from '../../parts/page.tsx';

export function RegionalSettingsScreen() {
  const said = useWords(WORDS);
  const { may, timeZone, homeCurrency } = useMerchant();
  return (
    <Page title={said.title} hint={said.hint}>
      {may('settings:write') ? (
        // Made again when something was saved, also by somebody else.
        <RegionForm key={`${timeZone} ${homeCurrency}`} />
      ) : (
        <FieldList
          fields={[
            { label: said.timeZone, value: timeZone },
            { label: said.homeCurrency, value: homeCurrency ?? said.most },
          ]}
        />
      )}
    </Page>
  );
}

function RegionForm() {
  const said = useWords(WORDS);
  const { merchantId, ...saved } = useMerchant();
  const { data: catalogue } = useCatalogue();
  const [timeZone, setTimeZone] = useState(saved.timeZone);
  const [currency, setCurrency] = useState(saved.homeCurrency ?? '');
  const currencies = new Set(catalogue?.providers.flatMap((provider) => provider.currencies));
  if (currency !== '') currencies.add(currency);
  const save = useAct({
    act: () =>
      answer(
        api.PUT('/console/api/merchants/{merchantId}/regional-settings', {
          params: { path: { merchantId } },
          body: { timeZone, homeCurrency: currency === '' ? null : currency },
        }),
      ),
    done: said.saved,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        <Select
          label={said.timeZone}
          description={said.timeZoneHint}
          searchable
          required
          allowDeselect={false}
          nothingFoundMessage={said.none}
          data={zonesWith(saved.timeZone)}
          value={timeZone}
          onChange={(value) => setTimeZone(value ?? saved.timeZone)}
        />
        <NativeSelect
          label={said.homeCurrency}
          description={said.homeCurrencyHint}
          data={[{ value: '', label: said.most }, ...[...currencies].toSorted()]}
          value={currency}
          onChange={(event) => setCurrency(event.currentTarget.value)}
        />
        <Text size="sm" c="dimmed">
          {said.files}
        </Text>
        <Group>
          <Button type="submit" loading={save.isPending}>
            {said.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Browsers leave some names out that are in use. */
function zonesWith(saved: string): string[] {
  return [...new Set(['UTC', saved, ...Intl.supportedValuesOf('timeZone')])];
}

const WORDS = words({
  en: {
    title: 'Time zone and currency',
    hint: 'For everyone in your team.',
    timeZone: 'Time zone',
    timeZoneHint: 'For times, days, charts, statement periods and payment exports.',
    homeCurrency: 'Home currency',
    homeCurrencyHint: 'New forms open with it, and its wallets come first.',
    most: 'Currency with most payments',
    files: 'Times inside statement files and the API stay in UTC.',
    none: 'No matching time zones',
    save: 'Save',
    saved: 'Settings saved.',
  },
  fr: {
    title: 'Fuseau horaire et devise',
    hint: 'Pour toute votre équipe.',
    timeZone: 'Fuseau horaire',
    timeZoneHint:
      'Pour les heures, les jours, les graphiques, les périodes des relevés et les exports de paiements.',
    homeCurrency: 'Devise principale',
    homeCurrencyHint: 'Les nouveaux formulaires s’ouvrent avec elle ; ses portefeuilles viennent en premier.',
    most: 'Devise avec le plus de paiements',
    files: 'Les heures dans les fichiers de relevés et dans l’API restent en UTC.',
    none: 'Aucun fuseau horaire correspondant',
    save: 'Enregistrer',
    saved: 'Réglages enregistrés.',
  },
});
