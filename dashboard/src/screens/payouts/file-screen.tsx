import { Button, Code, FileInput, Group, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { Icon } from '../../parts/icon.tsx';
import { Page, Section } from '../../parts/page.tsx';
import type { Prepared } from './batch-words.ts';
import { PreparedAnswer } from './prepared-answer.tsx';

const EXAMPLE = [
  'phoneNumber,amount,currency,provider,customerMessage,clientReferenceId,metadata.month',
  '250783456789,12500,RWF,,Wages May,EMP-001,May',
  '250733456789,9800,RWF,AIRTEL_RWA,Wages May,EMP-002,May',
].join('\n');

export function FileScreen() {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const navigate = useNavigate();
  const [file, setFile] = useState<File | null>(null);
  const [title, setTitle] = useState('');
  const prepare = useAct({
    act: async ({ repeatsAreMeant }: { readonly repeatsAreMeant: boolean }) =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/payout-batches', {
          params: { path: { merchantId } },
          body: { title: title.trim(), file: (await file?.text()) ?? '', repeatsAreMeant },
        }),
      ) as Promise<Prepared>,
    onDone: ({ batchId }) => {
      if (batchId === null) return;
      void navigate({ to: '/m/$merchantId/payouts/$batchId', params: { merchantId, batchId } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    prepare.mutate({ repeatsAreMeant: false });
  };
  const choose = (chosen: File | null) => {
    setFile(chosen);
    prepare.reset();
    if (title === '' && chosen !== null) setTitle(chosen.name.replace(/\.[a-z]+$/i, '').slice(0, 100));
  };
  return (
    <Page title={said.title} hint={said.hint}>
      <form onSubmit={submit}>
        <Stack maw={560}>
          <FileInput
            label={said.file}
            placeholder={said.choose}
            accept=".csv,text/csv,text/plain"
            required
            clearable
            clearButtonProps={{ 'aria-label': said.clear }}
            leftSection={<Icon name="upload" sizePx={16} />}
            value={file}
            onChange={choose}
          />
          <TextInput
            label={said.name}
            description={said.nameHint}
            required
            maxLength={100}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <Group>
            <Button type="submit" loading={prepare.isPending} disabled={file === null}>
              {said.check}
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            {said.promise}
          </Text>
        </Stack>
      </form>
      {prepare.data?.batchId === null && (
        <PreparedAnswer
          prepared={prepare.data}
          isPending={prepare.isPending}
          onMeant={() => prepare.mutate({ repeatsAreMeant: true })}
        />
      )}
      <Section title={said.form}>
        <Text size="sm" c="dimmed" maw={720}>
          {said.formHint}
        </Text>
        <Code block style={{ overflowX: 'auto' }} tabIndex={0}>
          {EXAMPLE}
        </Code>
      </Section>
    </Page>
  );
}

const WORDS = words({
  en: {
    title: 'Payouts from a file',
    hint: 'Every row is checked before anything is prepared. Nothing is sent from here.',
    file: 'File of comma-separated values (CSV)',
    choose: 'Choose a file',
    clear: 'Take another file',
    name: 'Name of the batch',
    nameHint: 'So that whoever approves it knows what it is.',
    check: 'Check and prepare',
    promise: 'The batch then waits. It is sent when it has been looked at and approved.',
    form: 'How the file must look',
    formHint:
      'phoneNumber, amount and currency must be there; the other columns may be left out. Without a provider it is ' +
      'told from the number. A column metadata.name goes along with the payout; “metadata.name (personal)” marks it ' +
      'as personal data. At most 10,000 rows. In a spreadsheet, format the numbers as text.',
  },
  fr: {
    title: 'Versements depuis un fichier',
    hint: 'Chaque ligne est vérifiée avant que quoi que ce soit soit préparé. Rien n’est envoyé d’ici.',
    file: 'Fichier de valeurs séparées par des virgules (CSV)',
    choose: 'Choisir un fichier',
    clear: 'Prendre un autre fichier',
    name: 'Nom du lot',
    nameHint: 'Pour que la personne qui approuve sache de quoi il s’agit.',
    check: 'Vérifier et préparer',
    promise: 'Le lot attend ensuite. Il est envoyé une fois regardé et approuvé.',
    form: 'La forme du fichier',
    formHint:
      'phoneNumber, amount et currency doivent y être ; les autres colonnes sont facultatives. Sans provider, ' +
      'l’opérateur est déduit du numéro. Une colonne metadata.nom accompagne le versement ; « metadata.nom ' +
      '(personal) » la marque comme donnée personnelle. Au plus 10 000 lignes. Dans un tableur, formatez les ' +
      'numéros comme du texte.',
  },
});
