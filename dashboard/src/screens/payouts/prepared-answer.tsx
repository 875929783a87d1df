import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/page.tsx';
import { useNames } from '../../parts/names.tsx';
import type { Prepared } from './batch-words.ts';
import { FAULT_WORDS, wordFault, type Fault } from './fault-words.ts';
import { WalletSums } from './wallet-sums.tsx';

type PreparedAnswerProps = {
  /** A form shows what is wrong beside its fields. */
  readonly of: 'FILE' | 'FORM';
  readonly prepared: Prepared;
  readonly isPending: boolean;
  /** Creates in spite of possible duplicates. */
  readonly onMeant: () => void;
};

/** Why nothing was created: errors, or possible duplicates. */
export function PreparedAnswer(props: PreparedAnswerProps) {
  const { of, prepared } = props;
  if (prepared.faults.length === 0) return <Repeats {...props} />;
  return of === 'FILE' ? <Faults prepared={prepared} /> : null;
}

function Faults({ prepared }: { readonly prepared: Prepared }) {
  const said = useWords(WORDS);
  const t = useWords(FAULT_WORDS);
  const names = useNames();
  const columns = useMemo(
    (): readonly Column<Fault>[] => [
      {
        id: 'where',
        header: said.where,
        isHeading: true,
        cell: ({ row, column }) =>
          [row === 0 ? said.whole : said.row(row), column].filter((part) => part !== '').join(' · '),
      },
      { id: 'message', header: said.what, cell: (fault) => wordFault(fault, t, names) },
    ],
    [said, t, names],
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

function Repeats({ of, prepared, isPending, onMeant }: PreparedAnswerProps) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const { sameAsBatchId, repeats } = prepared;
  return (
    <Stack>
      <Alert variant="default" icon={<Icon name="trouble" />} title={said.twice}>
        <Stack gap="xs">
          {sameAsBatchId !== null && (
            <Text size="sm">
              {of === 'FORM' ? said.sameAsOne : said.sameAs}{' '}
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
    what: 'Error',
    faulty: (count: number) => (count === 1 ? '1 error' : `${count} errors`),
    faultyHint:
      'Nothing was created. Fix these rows and upload the file again. Row 1 is the first row after the header.',
    more: (count: number) => `… and ${count} more.`,
    twice: 'Possible duplicate',
    sameAs: 'Another batch pays the same amounts to the same recipients.',
    sameAsOne: 'Another payout pays the same amount to the same recipient.',
    see: 'View it',
    RECIPIENT_AND_AMOUNT: (rows: string) => `Rows ${rows}: same amount, same phone number.`,
    CLIENT_REFERENCE: (rows: string) => `Rows ${rows}: same reference.`,
    meant: 'Not a duplicate – continue',
  },
  fr: {
    where: 'Où',
    row: (row: number) => `Ligne ${row}`,
    whole: 'Fichier',
    what: 'Erreur',
    faulty: (count: number) => (count === 1 ? '1 erreur' : `${count} erreurs`),
    faultyHint:
      'Rien n’a été créé. Corrigez ces lignes et importez de nouveau le fichier. La ligne 1 est la première après ' +
      'l’en-tête.',
    more: (count: number) => `… et ${count} de plus.`,
    twice: 'Doublon possible',
    sameAs: 'Un autre lot verse les mêmes montants aux mêmes bénéficiaires.',
    sameAsOne: 'Un autre versement paie le même montant au même bénéficiaire.',
    see: 'Le voir',
    RECIPIENT_AND_AMOUNT: (rows: string) => `Lignes ${rows} : même montant, même numéro.`,
    CLIENT_REFERENCE: (rows: string) => `Lignes ${rows} : même référence.`,
    meant: 'Ce n’est pas un doublon – continuer',
  },
});
