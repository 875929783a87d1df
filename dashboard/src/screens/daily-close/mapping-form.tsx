import {
  Button,
  FileInput,
  Group,
  Modal,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId, useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { AccountName } from './days.tsx';
import { COLUMNS, DECIMAL_MARKS, MEANINGS, TIME_FORMS, WORD_COLUMNS } from './mapping-choices.ts';
import { MAPPING_WORDS, type MappedWord, type Mapping, type Source } from './mapping-words.ts';

type ButtonProps = {
  readonly account: AccountName;
  readonly source: Source;
  /** Null: our own columns. */
  readonly mapping: Mapping | null;
};

export function MappingButton(props: ButtonProps) {
  const t = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" size="sm" onClick={open}>
        {t.open}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t.titles[props.source]} size="lg">
        <MappingForm {...props} onClose={close} />
      </Modal>
    </>
  );
}

const EMPTY: Mapping = { columns: {}, timeForm: 'YEAR_FIRST', decimalMark: 'POINT', words: [] };

function MappingForm({ account, source, mapping, onClose }: ButtonProps & { readonly onClose: () => void }) {
  const t = useWords(WORDS);
  const m = useWords(MAPPING_WORDS);
  const [form, setForm] = useState<Mapping>(mapping ?? EMPTY);
  const [header, setHeader] = useState<readonly string[]>([]);
  const listId = useId();
  const save = useAct({
    act: () =>
      answer(
        api.PUT('/console/api/host/daily-closes/{provider}/{currency}/mappings/{source}', {
          params: { path: { ...account, source } },
          body: { mapping: filledOf(form) },
        }),
      ),
    done: t.saved,
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <FileInput
          label={t.sample}
          description={t.sampleHint}
          placeholder={t.choose}
          accept=".csv,.txt,text/csv,text/plain"
          leftSection={<Icon name="upload" sizePx={16} />}
          onChange={(file) => void headerOf(file).then(setHeader)}
        />
        {header.length > 0 && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t.found} {header.join(' · ')}
          </Text>
        )}
        <datalist id={listId}>
          {header.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {COLUMNS[source].map((column) => (
            <TextInput
              key={column}
              label={m.columns[column]}
              description={m.hints[column]}
              required={column === 'time'}
              maxLength={100}
              autoComplete="off"
              list={listId}
              value={form.columns[column] ?? ''}
              onChange={(event) =>
                setForm({ ...form, columns: { ...form.columns, [column]: event.currentTarget.value } })
              }
            />
          ))}
          <NativeSelect
            label={m.timeForm}
            data={TIME_FORMS.map((value) => ({ value, label: m.timeForms[value] }))}
            value={form.timeForm}
            onChange={(event) =>
              setForm({ ...form, timeForm: event.currentTarget.value as Mapping['timeForm'] })
            }
          />
          <NativeSelect
            label={m.decimalMark}
            data={DECIMAL_MARKS.map((value) => ({ value, label: m.decimalMarks[value] }))}
            value={form.decimalMark}
            onChange={(event) =>
              setForm({ ...form, decimalMark: event.currentTarget.value as Mapping['decimalMark'] })
            }
          />
        </SimpleGrid>
        <Meanings
          source={source}
          rows={form.words}
          onChange={(changed) => setForm({ ...form, words: changed })}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type MeaningsProps = {
  readonly source: Source;
  readonly rows: readonly MappedWord[];
  readonly onChange: (rows: MappedWord[]) => void;
};

/** What words of the file mean: "Cash in" is money in. */
function Meanings({ source, rows, onChange }: MeaningsProps) {
  const t = useWords(WORDS);
  const m = useWords(MAPPING_WORDS);
  const set = (at: number, change: Partial<MappedWord>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...change } : row)));
  return (
    <Stack gap="xs" component="fieldset" bd={0} p={0} m={0}>
      <Text component="legend" size="sm" fw={500} p={0}>
        {t.meanings}
      </Text>
      {rows.map(({ column, word, means }, at) => (
        // Rows have no name of their own, and none moves.
        <SimpleGrid key={at} cols={{ base: 1, sm: 4 }} spacing="xs">
          <NativeSelect
            aria-label={t.column}
            data={WORD_COLUMNS[source].map((value) => ({ value, label: m.columns[value] }))}
            value={column}
            onChange={(event) => {
              const chosen = event.currentTarget.value as MappedWord['column'];
              set(at, { column: chosen, means: MEANINGS[chosen][0] });
            }}
          />
          <TextInput
            aria-label={t.word}
            placeholder={t.word}
            maxLength={100}
            value={word}
            onChange={(event) => set(at, { word: event.currentTarget.value })}
          />
          <NativeSelect
            aria-label={t.means}
            data={MEANINGS[column].map((value) => ({ value, label: m.meanings[value] ?? value }))}
            value={means}
            onChange={(event) => set(at, { means: event.currentTarget.value })}
          />
          <Button variant="default" onClick={() => onChange(rows.filter((_, index) => index !== at))}>
            {t.remove}
          </Button>
        </SimpleGrid>
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          onClick={() => onChange([...rows, { column: 'direction', word: '', means: 'IN' }])}
        >
          {t.add}
        </Button>
      </Group>
    </Stack>
  );
}

/** Without what was left empty. */
function filledOf({ columns, ...rest }: Mapping): Mapping {
  const filled = Object.entries(columns)
    .map(([column, name]) => [column, name.trim()])
    .filter(([, name]) => name !== '');
  return { ...rest, columns: Object.fromEntries(filled) as Mapping['columns'] };
}

const HEADER_BYTES = 10_000;

/** The names in the first line, as far as they can be told. */
async function headerOf(file: File | null): Promise<readonly string[]> {
  if (file === null) return [];
  const [line = ''] = (await file.slice(0, HEADER_BYTES).text()).split(/\r?\n/, 1);
  const mark = [',', ';', '\t'].toSorted(
    (one, other) => line.split(other).length - line.split(one).length,
  )[0];
  const names = line.split(mark ?? ',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  return [...new Set(names.filter((name) => name !== ''))];
}

const WORDS = words({
  en: {
    open: 'Enter columns',
    titles: { OPERATOR: 'Columns of the operator report', BANK: 'Columns of the bank file' },
    sample: 'Example file',
    sampleHint: 'Only its first line is read, on this computer, to suggest column names.',
    choose: 'Choose a file',
    found: 'Columns found:',
    meanings: 'Words in the file',
    column: 'Column',
    word: 'Word in the file',
    means: 'Meaning',
    add: 'Add a word',
    remove: 'Remove',
    cancel: 'Cancel',
    save: 'Save columns',
    saved: 'Columns saved. They are used from the next file on.',
  },
  fr: {
    open: 'Saisir les colonnes',
    titles: { OPERATOR: 'Colonnes du relevé de l’opérateur', BANK: 'Colonnes du fichier de la banque' },
    sample: 'Fichier d’exemple',
    sampleHint: 'Seule sa première ligne est lue, sur cet ordinateur, pour proposer des noms de colonnes.',
    choose: 'Choisir un fichier',
    found: 'Colonnes trouvées :',
    meanings: 'Mots du fichier',
    column: 'Colonne',
    word: 'Mot du fichier',
    means: 'Signification',
    add: 'Ajouter un mot',
    remove: 'Retirer',
    cancel: 'Annuler',
    save: 'Enregistrer les colonnes',
    saved: 'Colonnes enregistrées. Elles servent dès le prochain fichier.',
  },
});
