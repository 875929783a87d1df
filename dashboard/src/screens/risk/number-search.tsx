import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { useNumberColumns } from './number-columns.tsx';

/** On which lists a number is. */
export function NumberSearch() {
  const t = useWords(WORDS);
  const [phoneNumber, setPhoneNumber] = useState('');
  const columns = useNumberColumns({ isOfAll: true });
  const find = useAct({
    act: () =>
      answer(
        api.POST('/console/api/host/listed-numbers/find', { body: { phoneNumber: phoneNumber.trim() } }),
      ) as Promise<AnswerOf<'findNumber'>>,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    find.mutate(undefined);
  };
  const change = (text: string) => {
    setPhoneNumber(text);
    find.reset();
  };
  return (
    <Stack gap="sm">
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-end">
          <TextInput
            label={t.label}
            description={t.hint}
            inputMode="tel"
            type="search"
            required
            minLength={8}
            maxLength={40}
            autoComplete="off"
            w="100%"
            maw={360}
            value={phoneNumber}
            onChange={(event) => change(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={find.isPending}>
            {t.search}
          </Button>
        </Group>
      </form>
      {find.data !== undefined && (
        <div role="status">
          <DataTable
            label={t.found}
            columns={columns}
            rows={find.data.entries}
            rowKey={({ entryId }) => entryId}
            empty={<Text size="sm">{t.none}</Text>}
          />
        </div>
      )}
    </Stack>
  );
}

const WORDS = words({
  en: {
    label: 'Find a phone number',
    hint: 'With country code. Searches are recorded in the audit log.',
    search: 'Search',
    found: 'Lists with this number',
    none: 'This number is on no list.',
  },
  fr: {
    label: 'Chercher un numéro',
    hint: 'Avec l’indicatif. Les recherches sont inscrites au journal d’audit.',
    search: 'Chercher',
    found: 'Listes contenant ce numéro',
    none: 'Ce numéro n’est sur aucune liste.',
  },
});
