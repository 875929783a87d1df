import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { WaitingApprovals } from '../../parts/approval-list.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Copied } from '../../parts/copied.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { AddKeyButton } from './add-key-button.tsx';
import { SignedRequests } from './signed-requests.tsx';

type Keys = AnswerOf<'readKeys'>;
type Key = Keys['keys'][number];

export function KeyScreen() {
  const { merchantId, may } = useMerchant();
  const said = useWords(WORDS);
  const keys = useQuery(
    reading('/console/api/merchants/{merchantId}/keys', { params: { path: { merchantId } } }),
  );
  const mayChange = may('settings:write');
  const columns = useColumns(mayChange, keys.data);
  return (
    <Page
      title={said.title}
      hint={said.hint}
      actions={mayChange && <AddKeyButton algorithms={keys.data?.algorithms ?? NO_ALGORITHMS} />}
    >
      <SignedRequests covers="PAYMENTS" keys={keys.data} mayChange={mayChange} />
      <SignedRequests covers="PAGES" keys={keys.data} mayChange={mayChange} />
      <DataTable
        label={said.title}
        columns={columns}
        rows={keys.data?.keys}
        rowKey={({ name }) => name}
        skeletonRows={2}
        error={keys.error}
        onRetry={() => void keys.refetch()}
        empty={
          <EmptyState icon="shield" title={said.none}>
            {said.noneHint}
          </EmptyState>
        }
      />
      <WaitingApprovals kinds={WAITING_KINDS} />
    </Page>
  );
}

const WAITING_KINDS = ['PUBLIC_KEY', 'UNSIGNED_REQUESTS', 'UNSIGNED_PAGES'] as const;
const NO_ALGORITHMS: readonly string[] = [];

function useColumns(mayChange: boolean, keys: Keys | undefined): readonly Column<Key>[] {
  const said = useWords(WORDS);
  const isDemanded = keys?.signedRequestsOnly === true || keys?.signedPagesOnly === true;
  const isLastNeeded = isDemanded && keys?.keys.length === 1;
  return useMemo(
    () => [
      { id: 'name', header: said.name, isHeading: true, cell: ({ name }) => name },
      { id: 'algorithm', header: said.algorithm, cell: ({ algorithm }) => algorithm },
      {
        id: 'fingerprint',
        header: said.fingerprint,
        cell: ({ fingerprint }) => <Copied value={fingerprint} short={`${fingerprint.slice(0, 12)}…`} />,
      },
      { id: 'created', header: said.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
      ...(mayChange
        ? [
            {
              id: 'acts',
              header: said.acts,
              isActions: true,
              cell: ({ name }: Key) => <RemoveButton name={name} isLastNeeded={isLastNeeded} />,
            },
          ]
        : []),
    ],
    [said, mayChange, isLastNeeded],
  );
}

type RemoveButtonProps = { readonly name: string; readonly isLastNeeded: boolean };

function RemoveButton({ name, isLastNeeded }: RemoveButtonProps) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const remove = useAct({
    act: () =>
      answer(
        api.DELETE('/console/api/merchants/{merchantId}/keys/{name}', {
          params: { path: { merchantId, name } },
        }),
      ),
    done: said.removed(name),
  });
  return (
    <Group justify="flex-end">
      <ConfirmButton
        label={said.remove}
        isPending={remove.isPending}
        onConfirm={() => remove.mutateAsync(undefined)}
        question={
          <>
            <Text>{said.question(name)}</Text>
            {isLastNeeded && <Text fw={600}>{said.lastOne}</Text>}
          </>
        }
      />
    </Group>
  );
}

const WORDS = words({
  en: {
    title: 'Public keys',
    hint: 'We check the signatures of your requests with these keys. Private keys never leave your servers.',
    name: 'Key ID',
    algorithm: 'Algorithm',
    fingerprint: 'Fingerprint',
    created: 'Added',
    acts: 'Actions',
    remove: 'Remove',
    question: (name: string) => `Requests signed with “${name}” are refused within ten seconds.`,
    lastOne: 'This is the last key, and signatures are required: you can no longer start payments.',
    removed: (name: string) => `Key “${name}” removed.`,
    none: 'No public keys yet',
    noneHint: 'Signing is optional until you require it. Add a key to begin.',
  },
  fr: {
    title: 'Clés publiques',
    hint: 'Elles servent à vérifier les signatures de vos requêtes. Les clés privées ne quittent jamais vos serveurs.',
    name: 'Identifiant',
    algorithm: 'Algorithme',
    fingerprint: 'Empreinte',
    created: 'Ajoutée',
    acts: 'Actions',
    remove: 'Retirer',
    question: (name: string) => `Les requêtes signées avec « ${name} » seront refusées sous dix secondes.`,
    lastOne: 'C’est la dernière clé, et signer est obligatoire : vous ne pourrez plus lancer de paiements.',
    removed: (name: string) => `Clé « ${name} » retirée.`,
    none: 'Aucune clé publique pour le moment',
    noneHint: 'Signer reste facultatif tant que vous ne l’exigez pas. Ajoutez une clé pour commencer.',
  },
});
