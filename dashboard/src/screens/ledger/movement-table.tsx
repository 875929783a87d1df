import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { DataTable, type Column, type Paging } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useNames } from '../../parts/names.tsx';
import { Money } from '../../parts/money.tsx';
import { MOVEMENT_WORDS } from '../../parts/movement-words.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { ACCOUNT_WORDS, TEMPLATE_WORDS } from './account-words.ts';

export type Movement = AnswerOf<'readTransfers'>['rows'][number];
type Account = Movement['debit'];

type MovementTableProps = {
  readonly rows: readonly Movement[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly paging?: Paging;
  /** Movements are linked to their subject, except on its own screen. */
  readonly isOfSubject?: boolean;
};

/** What moved, from which account to which. */
export function MovementTable({ rows, error, onRetry, paging, isOfSubject = false }: MovementTableProps) {
  const said = useWords(WORDS);
  const columns = useColumns(isOfSubject);
  return (
    <DataTable
      label={said.movements}
      columns={columns}
      rows={rows}
      rowKey={({ merchantId, kind, subjectId, legNo }) => [merchantId, kind, subjectId, legNo].join()}
      error={error}
      onRetry={onRetry}
      {...(paging === undefined ? {} : { paging })}
      empty={<EmptyState icon="ledger" title={said.none} />}
    />
  );
}

function useColumns(isOfSubject: boolean): readonly Column<Movement>[] {
  const said = useWords(WORDS);
  return useMemo(
    () => [
      {
        id: 'for',
        header: said.for,
        isHeading: true,
        cell: (movement) => <Subject movement={movement} isLinked={!isOfSubject} />,
      },
      { id: 'debit', header: said.debit, cell: ({ debit }) => <AccountLink account={debit} /> },
      { id: 'credit', header: said.credit, cell: ({ credit }) => <AccountLink account={credit} /> },
      {
        id: 'amount',
        header: said.amount,
        align: 'end',
        cell: ({ amount, debit }) => <Money amount={amount} currency={debit.currency} />,
      },
      {
        id: 'state',
        header: said.state,
        onPhone: 'plain',
        cell: ({ state }) => (
          <StateBadge state={state} tone={TONES[state]}>
            {said[state]}
          </StateBadge>
        ),
      },
      {
        id: 'at',
        header: said.at,
        onPhone: 'plain',
        cell: ({ createdAt }) => <Time at={createdAt} isExact />,
      },
    ],
    [said, isOfSubject],
  );
}

const TONES = { POSTED: 'success', PENDING: 'info', VOIDED: 'quiet' } as const;

function Subject({ movement, isLinked }: { readonly movement: Movement; readonly isLinked: boolean }) {
  const templates = useWords(TEMPLATE_WORDS);
  const { kind, subjectId, template, merchantId } = movement;
  const movements = useWords(MOVEMENT_WORDS);
  const name = movements[kind] ?? templates[kind] ?? kind;
  return (
    <Stack gap={0}>
      {isLinked ? (
        <Anchor
          inherit
          renderRoot={(props) => (
            <Link
              {...props}
              to="/host/ledger/transfers/$owner/$kind/$subjectId"
              params={{ owner: merchantId, kind, subjectId }}
            />
          )}
        >
          {name} {subjectId.slice(0, 8)}
        </Anchor>
      ) : (
        <span>{name}</span>
      )}
      <Text component="span" size="xs" c="dimmed">
        {templates[template] ?? template}
      </Text>
    </Stack>
  );
}

function AccountLink({ account }: { readonly account: Account }) {
  const types = useWords(ACCOUNT_WORDS);
  const names = useNames();
  const { accountId, type, provider, merchant, country } = account;
  return (
    <Stack gap={0}>
      <Anchor
        inherit
        renderRoot={(props) => (
          <Link {...props} to="/host/ledger/accounts/$accountId" params={{ accountId }} />
        )}
      >
        {types[type] ?? type}
      </Anchor>
      <Text component="span" size="xs" c="dimmed">
        {merchant ?? (provider === null ? names.country(country) : names.provider(provider))}
      </Text>
    </Stack>
  );
}

const WORDS = words({
  en: {
    movements: 'Transfers',
    for: 'Reference',
    debit: 'Debit',
    credit: 'Credit',
    amount: 'Amount',
    state: 'Status',
    at: 'Time',
    POSTED: 'Posted',
    PENDING: 'Pending',
    VOIDED: 'Voided',
    none: 'No transfers yet',
  },
  fr: {
    movements: 'Transferts',
    for: 'Référence',
    debit: 'Débit',
    credit: 'Crédit',
    amount: 'Montant',
    state: 'Statut',
    at: 'Heure',
    POSTED: 'Comptabilisé',
    PENDING: 'Réservé',
    VOIDED: 'Annulé',
    none: 'Aucun transfert',
  },
});
