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
  'phoneNumber,amount,currency,provider,recipientName,customerMessage,clientReferenceId,metadata.month',
  '250783456789,12500,RWF,,Jane Uwase,Wages May,EMP-001,May',
  '250733456789,9800,RWF,AIRTEL_RWA,Eric Mugabo,Wages May,EMP-002,May',
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
          of="FILE"
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
    title: 'Upload payouts',
    hint: 'Every row is checked before anything is created. Nothing is sent from here.',
    file: 'CSV file',
    choose: 'Choose a file',
    clear: 'Replace file',
    name: 'Batch name',
    nameHint: 'The approver sees this name.',
    check: 'Check file',
    promise: 'Next, the batch is reviewed and approved. Payouts are sent after that.',
    form: 'File format',
    formHint:
      'phoneNumber, amount and currency are required; the other columns are optional. Without a provider it is ' +
      'detected from the phone number. recipientName is shown to people who prepare or approve payouts; it is ' +
      'stored encrypted and not sent to the operator. A column metadata.name is stored with the payout; ' +
      '“metadata.name (personal)” marks it as personal data. Up to 10,000 rows. In a spreadsheet, format phone ' +
      'numbers as text.',
  },
  fr: {
    title: 'Importer des versements',
    hint: 'Chaque ligne est vérifiée avant toute création. Rien n’est envoyé d’ici.',
    file: 'Fichier CSV',
    choose: 'Choisir un fichier',
    clear: 'Remplacer le fichier',
    name: 'Nom du lot',
    nameHint: 'La personne qui approuve voit ce nom.',
    check: 'Vérifier le fichier',
    promise: 'Le lot est ensuite vérifié et approuvé. Les versements partent après cela.',
    form: 'Format du fichier',
    formHint:
      'phoneNumber, amount et currency sont obligatoires ; les autres colonnes sont facultatives. Sans provider, ' +
      'l’opérateur est détecté d’après le numéro. recipientName est montré aux personnes qui préparent ou ' +
      'approuvent ; il est stocké chiffré et n’est pas envoyé à l’opérateur. Une colonne metadata.nom est stockée ' +
      'avec le versement ; « metadata.nom (personal) » la marque comme donnée personnelle. Jusqu’à 10 000 lignes. ' +
      'Dans un tableur, formatez les numéros comme du texte.',
  },
});
