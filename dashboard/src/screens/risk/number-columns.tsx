import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { notifyChanged } from '../../parts/cells-notice.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Masked } from '../../parts/masked.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';

export type ListedNumber = AnswerOf<'listNumbers'>['rows'][number];
export type NumberList = ListedNumber['list'];
/** The list of a merchant, or of the platform. */
export type Whose = { readonly list: NumberList; readonly merchantId?: string };

/** `isOfAll`: rows of several lists, which are named. */
export function useNumberColumns({
  isOfAll,
}: {
  readonly isOfAll: boolean;
}): readonly Column<ListedNumber>[] {
  const t = useWords(WORDS);
  const { may, mayReveal } = useHost();
  const mayWrite = may('risk:write');
  return useMemo(
    () => [
      {
        id: 'number',
        header: t.number,
        isHeading: true,
        cell: (row) => <Number row={row} mayReveal={mayReveal} />,
      },
      ...(isOfAll
        ? [
            {
              id: 'list',
              header: t.list,
              onPhone: 'plain' as const,
              cell: ({ list, merchant }: ListedNumber) => (
                <Stack gap={0} align="flex-start">
                  <StateBadge state={list} tone={list === 'BLOCKED' ? 'failure' : 'success'}>
                    {t.lists[list]}
                  </StateBadge>
                  <Text component="span" size="xs" c="dimmed">
                    {merchant ?? t.everyMerchant}
                  </Text>
                </Stack>
              ),
            },
          ]
        : []),
      {
        id: 'reason',
        header: t.reason,
        onPhone: 'plain',
        cell: ({ reason }) => (
          <Text component="span" size="sm" style={{ overflowWrap: 'anywhere' }}>
            {reason ?? t.hidden}
          </Text>
        ),
      },
      {
        id: 'expires',
        header: t.expires,
        cell: ({ expiresAt }) => (expiresAt === null ? t.never : <Time at={expiresAt} />),
      },
      {
        id: 'added',
        header: t.added,
        cell: ({ addedAt, addedBy }) => (
          <Stack gap={0}>
            <Time at={addedAt} />
            <Text component="span" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {addedBy}
            </Text>
          </Stack>
        ),
      },
      ...(mayWrite
        ? [
            {
              id: 'acts',
              header: t.acts,
              isActions: true,
              cell: (row: ListedNumber) => <RemoveButton row={row} />,
            },
          ]
        : []),
    ],
    [t, isOfAll, mayWrite, mayReveal],
  );
}

function Number({ row, mayReveal }: { readonly row: ListedNumber; readonly mayReveal: boolean }) {
  const t = useWords(WORDS);
  const { entryId, phoneNumber, hasExpired } = row;
  const reveal = async () => {
    const params = { path: { entryId } };
    return (await answer(api.POST('/console/api/host/listed-numbers/{entryId}/reveal', { params })))
      .phoneNumber;
  };
  return (
    <Stack gap={2} align="flex-start">
      <Masked masked={phoneNumber} {...(mayReveal ? { reveal } : {})} />
      {hasExpired && <StateBadge state="EXPIRED">{t.expired}</StateBadge>}
    </Stack>
  );
}

function RemoveButton({ row: { entryId, list } }: { readonly row: ListedNumber }) {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  const remove = useAct({
    act: () =>
      answer(
        api.POST('/console/api/host/listed-numbers/{entryId}/remove', { params: { path: { entryId } } }),
      ) as Promise<AnswerOf<'removeNumber'>>,
    onDone: ({ outcome, missingCells }) =>
      notifyChanged(outcome === 'DONE' ? t.removed : t.requested, missingCells, language),
  });
  return (
    <ConfirmButton
      label={list === 'BLOCKED' ? t.unblock : t.remove}
      question={list === 'BLOCKED' ? t.unblockQuestion : t.removeQuestion}
      isDangerous={list === 'BLOCKED'}
      isPending={remove.isPending}
      onConfirm={() => remove.mutateAsync(undefined)}
    />
  );
}

const WORDS = words({
  en: {
    number: 'Phone number',
    list: 'List',
    lists: { BLOCKED: 'Blocked', ALLOWED: 'Allowed' },
    everyMerchant: 'Every merchant',
    reason: 'Reason',
    hidden: 'Hidden',
    expires: 'Expires',
    never: 'Never',
    expired: 'Expired',
    added: 'Added',
    acts: 'Actions',
    unblock: 'Unblock',
    unblockQuestion: 'The number can then pay and be paid. In production another person must approve this.',
    remove: 'Remove',
    removeQuestion: 'Limits for each phone number count it again.',
    removed: 'Removed from the list.',
    requested: 'Sent for approval. The number stays blocked until another person approves.',
  },
  fr: {
    number: 'Numéro',
    list: 'Liste',
    lists: { BLOCKED: 'Bloqué', ALLOWED: 'Autorisé' },
    everyMerchant: 'Tous les marchands',
    reason: 'Motif',
    hidden: 'Masqué',
    expires: 'Expiration',
    never: 'Jamais',
    expired: 'Expiré',
    added: 'Ajouté',
    acts: 'Actions',
    unblock: 'Débloquer',
    unblockQuestion:
      'Le numéro pourra alors payer et recevoir. En production, une autre personne doit approuver.',
    remove: 'Retirer',
    removeQuestion: 'Les limites par numéro le compteront à nouveau.',
    removed: 'Retiré de la liste.',
    requested: 'Envoyé pour approbation. Le numéro reste bloqué jusqu’à ce qu’une autre personne approuve.',
  },
});
