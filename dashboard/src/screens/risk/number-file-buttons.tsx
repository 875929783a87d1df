import { Button, Code, FileInput, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { notifyChanged } from '../../parts/cells-notice.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { saveFile } from '../../parts/save-file.ts';
import type { Whose } from './number-columns.tsx';

const EXAMPLE = [
  'number,reason,expires',
  '250783456789,Fraud 4711,',
  '250733456789,Fraud 4712,2027-01-31T14:00:00Z',
].join('\n');

type FileButtonProps = { readonly whose: Whose };

export function ImportNumbersButton({ whose }: FileButtonProps) {
  const t = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<Icon name="upload" sizePx={16} />} onClick={open}>
        {t.import}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t.import} centered>
        <ImportForm whose={whose} onClose={close} />
      </Modal>
    </>
  );
}

function ImportForm({ whose, onClose }: FileButtonProps & { readonly onClose: () => void }) {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  const [file, setFile] = useState<File | null>(null);
  const add = useAct({
    act: async () =>
      answer(
        api.POST('/console/api/host/listed-numbers/import', {
          body: { ...whose, file: (await file?.text()) ?? '' },
        }),
      ) as Promise<AnswerOf<'importNumbers'>>,
    onDone: ({ outcome, missingCells, count }) => {
      notifyChanged(outcome === 'DONE' ? t.imported(count) : t.requested(count), missingCells, language);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t.hints[whose.list]}</Text>
        <Code block>{EXAMPLE}</Code>
        <FileInput
          label={t.file}
          placeholder={t.choose}
          accept=".csv,text/csv,text/plain"
          required
          leftSection={<Icon name="upload" sizePx={16} />}
          value={file}
          onChange={setFile}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={add.isPending} disabled={file === null}>
            {t.import}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function ExportNumbersButton({ whose }: FileButtonProps) {
  const t = useWords(WORDS);
  const save = useAct({
    act: (): Promise<string> =>
      answer(api.POST('/console/api/host/listed-numbers/export', { body: whose, parseAs: 'text' })),
    onDone: (text) => saveFile({ name: `${whose.list.toLowerCase()}-numbers.csv`, text }),
  });
  return (
    <ConfirmButton
      label={t.export}
      size="sm"
      question={t.exportHint}
      isDangerous={false}
      isPending={save.isPending}
      onConfirm={() => save.mutateAsync(undefined)}
    />
  );
}

const WORDS = words({
  en: {
    import: 'Import CSV',
    hints: {
      BLOCKED:
        'All numbers of the file are blocked at once, or none where a line cannot be read. 10,000 at most.',
      ALLOWED: 'Another person approves all numbers of the file together. 10,000 at most.',
    },
    file: 'CSV file',
    choose: 'Choose a file',
    cancel: 'Cancel',
    imported: (count: number) => `${count} numbers added.`,
    requested: (count: number) => `${count} numbers sent for approval.`,
    export: 'Export CSV',
    exportHint: 'Downloads this list with phone numbers in full. This is recorded in the audit log.',
  },
  fr: {
    import: 'Importer un CSV',
    hints: {
      BLOCKED:
        'Tous les numéros du fichier sont bloqués aussitôt, ou aucun si une ligne est illisible. 10 000 au plus.',
      ALLOWED: 'Une autre personne approuve tous les numéros du fichier ensemble. 10 000 au plus.',
    },
    file: 'Fichier CSV',
    choose: 'Choisir un fichier',
    cancel: 'Annuler',
    imported: (count: number) => `${count} numéros ajoutés.`,
    requested: (count: number) => `${count} numéros envoyés pour approbation.`,
    export: 'Exporter en CSV',
    exportHint: 'Télécharge cette liste avec les numéros complets. L’export est inscrit au journal d’audit.',
  },
});
