import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/page.tsx';
import type { Prepared } from './batch-words.ts';
import { WalletSums } from './wallet-sums.tsx';

type PreparedAnswerProps = {
  readonly prepared: Prepared;
  readonly isPending: boolean;
  /** Prepares in spite of repeats. */
  readonly onMeant: () => void;
};

/** Why nothing was prepared: what is wrong, or what looks like one payout written twice. */
export function PreparedAnswer({ prepared, isPending, onMeant }: PreparedAnswerProps) {
  if (prepared.faults.length > 0) return <Faults prepared={prepared} />;
  return <Repeats prepared={prepared} isPending={isPending} onMeant={onMeant} />;
}

type Fault = Prepared['faults'][number];

function Faults({ prepared }: { readonly prepared: Prepared }) {
  const said = useWords(WORDS);
  const columns = useMemo(
    (): readonly Column<Fault>[] => [
      {
        id: 'where',
        header: said.where,
        isHeading: true,
        cell: ({ row, column }) =>
          [row === 0 ? said.whole : said.row(row), column].filter((part) => part !== '').join(' · '),
      },
      { id: 'message', header: said.what, cell: ({ message }) => message },
    ],
    [said],
  );
  return (
    <Section title={said.faulty(prepared.faultCount)}>
      <Text c="dimmed" size="sm">
        {said.faultyHint}
      </Text>
      <DataTable
        label={said.faulty(prepared.faultCount)}
        columns={columns}
        rows={prepared.faults}
        rowKey={({ row, column, code }) => `${row} ${column} ${code}`}
        empty={<EmptyState title={said.what} />}
      />
      {prepared.faultCount > prepared.faults.length && (
        <Text c="dimmed" size="sm">
          {said.more(prepared.faultCount - prepared.faults.length)}
        </Text>
      )}
    </Section>
  );
}

const REPEATS_SHOWN_MAX = 20;

function Repeats({ prepared, isPending, onMeant }: PreparedAnswerProps) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const { sameAsBatchId, repeats } = prepared;
  return (
    <Stack>
      <Alert variant="default" icon={<Icon name="trouble" />} title={said.twice}>
        <Stack gap="xs">
          {sameAsBatchId !== null && (
            <Text size="sm">
              {said.sameAs}{' '}
              <Anchor
                renderRoot={(props) => (
                  <Link
                    to="/m/$merchantId/payouts/$batchId"
                    params={{ merchantId, batchId: sameAsBatchId }}
                    {...props}
                  />
                )}
              >
                {said.see}
              </Anchor>
            </Text>
          )}
          {repeats.slice(0, REPEATS_SHOWN_MAX).map(({ same, rows }) => (
            <Text size="sm" key={`${same} ${rows.join(' ')}`}>
              {said[same](rows.join(', '))}
            </Text>
          ))}
          {repeats.length > REPEATS_SHOWN_MAX && (
            <Text size="sm">{said.more(repeats.length - REPEATS_SHOWN_MAX)}</Text>
          )}
          <Group>
            <Button size="xs" variant="default" loading={isPending} onClick={onMeant}>
              {said.meant}
            </Button>
          </Group>
        </Stack>
      </Alert>
      <WalletSums wallets={prepared.wallets} />
    </Stack>
  );
}

const WORDS = words({
  en: {
    where: 'Where',
    row: (row: number) => `Row ${row}`,
    whole: 'File',
    what: 'What is wrong',
    faulty: (count: number) => (count === 1 ? 'One fault' : `${count} faults`),
    faultyHint:
      'Nothing was prepared. Mend these and send the file again; rows are counted without the heading.',
    more: (count: number) => `… and ${count} more.`,
    twice: 'Is this a payout written twice?',
    sameAs: 'A batch that pays the same to the same people is there already.',
    see: 'See that batch',
    RECIPIENT_AND_AMOUNT: (rows: string) => `Rows ${rows}: the same amount to the same number.`,
    CLIENT_REFERENCE: (rows: string) => `Rows ${rows}: the same reference.`,
    meant: 'It is meant: prepare it',
  },
  fr: {
    where: 'Où',
    row: (row: number) => `Ligne ${row}`,
    whole: 'Fichier',
    what: 'Ce qui ne va pas',
    faulty: (count: number) => (count === 1 ? 'Une erreur' : `${count} erreurs`),
    faultyHint:
      'Rien n’a été préparé. Corrigez et renvoyez le fichier ; les lignes sont comptées sans l’en-tête.',
    more: (count: number) => `… et ${count} de plus.`,
    twice: 'Est-ce un versement écrit deux fois ?',
    sameAs: 'Un lot qui paie la même chose aux mêmes personnes existe déjà.',
    see: 'Voir ce lot',
    RECIPIENT_AND_AMOUNT: (rows: string) => `Lignes ${rows} : le même montant au même numéro.`,
    CLIENT_REFERENCE: (rows: string) => `Lignes ${rows} : la même référence.`,
    meant: 'C’est voulu : préparer',
  },
});
