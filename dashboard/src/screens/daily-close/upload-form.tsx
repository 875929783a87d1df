import { Button, FileInput, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/page.tsx';
import type { AccountName } from './days.tsx';

type FormProps = { readonly account: AccountName; readonly onUploading: (isUploading: boolean) => void };
type Source = 'OPERATOR' | 'BANK';

/** As the server has it. */
const FILE_BYTES_MAX = 10_000_000;
/** A call takes no more arguments than some ten thousand. */
const PIECE_BYTES = 8_192;

export function UploadForm({ account, onUploading }: FormProps) {
  const t = useWords(WORDS);
  const nextDay = useNextDay(account);
  const [source, setSource] = useState<Source>('OPERATOR');
  const [file, setFile] = useState<File | null>(null);
  const [chosen, setChosen] = useState<{ readonly from?: string; readonly to?: string }>({});
  const from = chosen.from ?? nextDay;
  const to = chosen.to ?? chosen.from ?? nextDay;
  const isTooLarge = (file?.size ?? 0) > FILE_BYTES_MAX;
  const upload = useAct({
    act: async ({ sent }: { readonly sent: File }) => {
      onUploading(true);
      try {
        const days = source === 'OPERATOR' ? { from, to } : {};
        const body = { source, fileName: sent.name.slice(0, 200), file: await base64Of(sent), ...days };
        return (await answer(
          api.POST('/console/api/host/daily-closes/{provider}/{currency}/uploads', {
            params: { path: account },
            body,
          }),
        )) as AnswerOf<'uploadReport'>;
      } finally {
        onUploading(false);
      }
    },
    done: ({ status, linesDone, faultCount }) =>
      status === 'DONE' ? t.done(linesDone, faultCount) : status === 'REFUSED' ? t.refused : t.failed,
    onDone: () => setFile(null),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file !== null) upload.mutate({ sent: file });
  };
  return (
    <Section title={t.title} hint={t.hints[source]}>
      <form onSubmit={submit}>
        <Stack maw={560}>
          <NativeSelect
            label={t.source}
            data={(['OPERATOR', 'BANK'] as const).map((value) => ({ value, label: t.sources[value] }))}
            value={source}
            onChange={(event) => setSource(event.currentTarget.value as Source)}
          />
          <FileInput
            label={t.file}
            description={t.size}
            placeholder={t.choose}
            accept=".csv,.txt,text/csv,text/plain"
            required
            clearable
            clearButtonProps={{ 'aria-label': t.clear }}
            leftSection={<Icon name="upload" sizePx={16} />}
            error={isTooLarge ? t.tooLarge : null}
            value={file}
            onChange={setFile}
          />
          {source === 'OPERATOR' && (
            <Group grow align="flex-start">
              <DayField
                label={t.from}
                required
                value={from}
                onChange={(day) => setChosen({ ...chosen, from: day })}
              />
              <DayField
                label={t.to}
                required
                value={to}
                min={from}
                onChange={(day) => setChosen({ ...chosen, to: day })}
              />
            </Group>
          )}
          <Group>
            <Button type="submit" loading={upload.isPending} disabled={file === null || isTooLarge}>
              {t.upload}
            </Button>
            {upload.isPending && (
              <Text size="sm" c="dimmed" role="status">
                {t.running}
              </Text>
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

/** The day that is signed next; empty while it is not known. */
function useNextDay(account: AccountName): string {
  const { data } = useQuery(
    reading('/console/api/host/daily-closes/{provider}/{currency}', {
      params: { path: account, query: { limit: '1' } },
    }),
  );
  return data?.account.nextDay ?? '';
}

/** Its bytes as they are, so that the server knows the same file again. */
async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    text += String.fromCodePoint(...bytes.subarray(from, from + PIECE_BYTES));
  return btoa(text);
}

const WORDS = words({
  en: {
    title: 'Upload a file',
    hints: {
      OPERATOR: 'The operator’s report of whole days. What its lines would do waits for a second approver.',
      BANK: 'The bank’s lines about top-ups and withdrawals at this operator.',
    },
    source: 'File type',
    sources: { OPERATOR: 'Operator report', BANK: 'Bank file' },
    file: 'CSV file',
    size: 'At most 10 MB, about 100,000 lines',
    tooLarge: 'The file has more than 10 MB. Split it, or import it on the command line.',
    choose: 'Choose a file',
    clear: 'Replace file',
    from: 'First day in the report',
    to: 'Last day in the report',
    upload: 'Upload',
    running: 'Importing. You can leave this page; the import goes on.',
    done: (lines: number, faults: number) =>
      faults === 0 ? `${lines} lines imported.` : `${lines} lines imported, ${faults} errors.`,
    failed: 'The file could not be imported. See the error below.',
    refused: 'The file was probably read wrongly and has no effect. See the lines below.',
  },
  fr: {
    title: 'Importer un fichier',
    hints: {
      OPERATOR:
        'Le relevé de l’opérateur pour des journées entières. L’effet de ses lignes attend une seconde approbation.',
      BANK: 'Les lignes de la banque : approvisionnements et retraits chez cet opérateur.',
    },
    source: 'Type de fichier',
    sources: { OPERATOR: 'Relevé de l’opérateur', BANK: 'Fichier de la banque' },
    file: 'Fichier CSV',
    size: '10 Mo au plus, environ 100 000 lignes',
    tooLarge: 'Le fichier dépasse 10 Mo. Divisez-le, ou importez-le en ligne de commande.',
    choose: 'Choisir un fichier',
    clear: 'Remplacer le fichier',
    from: 'Premier jour du relevé',
    to: 'Dernier jour du relevé',
    upload: 'Importer',
    running: 'Import en cours. Vous pouvez quitter cette page ; l’import continue.',
    done: (lines: number, faults: number) =>
      faults === 0 ? `${lines} lignes importées.` : `${lines} lignes importées, ${faults} erreurs.`,
    failed: 'Le fichier n’a pas pu être importé. Voyez l’erreur ci-dessous.',
    refused: 'Le fichier a sans doute été mal lu et reste sans effet. Voyez les lignes ci-dessous.',
  },
});
