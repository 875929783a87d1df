import { Group, Stack, Text } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { useAct } from '../api/acts.ts';
import { useLanguage, useWords, words } from '../language.tsx';
import { limitRequestTitle, LIMIT_SCOPE_WORDS, PERIOD_WORDS, type Limit } from './limit-words.ts';
import { Withdraw } from './approval-acts.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { DataTable, type Column } from './data-table.tsx';
import { KIND_WORDS } from './kind-words.ts';
import { LimitButton, removeLimit, type LimitOwner } from './limit-button.tsx';
import { groupDigits } from './money.tsx';
import { useNames } from './names.tsx';
import { StateBadge } from './state-badge.tsx';
import { Time } from './time.tsx';

type LimitTableProps = {
  readonly owner: LimitOwner;
  readonly limits: readonly Limit[] | undefined;
  readonly mayChange: boolean;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly empty: ReactNode;
};

/** Limits of a merchant: its own and those of the platform. */
export function LimitTable({ owner, limits, mayChange, error, onRetry, empty }: LimitTableProps) {
  const t = useWords(WORDS);
  const columns = useColumns(owner, mayChange);
  return (
    <DataTable
      label={t.label}
      columns={columns}
      rows={limits}
      rowKey={keyOf}
      skeletonRows={4}
      error={error}
      onRetry={onRetry}
      empty={empty}
    />
  );
}

function keyOf({ setBy, kind, scope, subject, period, currency }: Limit): string {
  return [setBy, kind, scope, subject, period, currency].join(' ');
}

function useColumns({ merchantId, setBy }: LimitOwner, mayChange: boolean): readonly Column<Limit>[] {
  const t = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const periods = useWords(PERIOD_WORDS);
  return useMemo(
    () => [
      {
        id: 'what',
        header: t.what,
        isHeading: true,
        cell: (limit) => (
          <Stack gap={2} align="flex-start">
            <span>{`${kinds[limit.kind]} ${periods[limit.period]}`}</span>
            <Scope limit={limit} />
          </Stack>
        ),
      },
      { id: 'max', header: t.max, align: 'end', cell: (limit) => <Maxima limit={limit} /> },
      { id: 'used', header: t.used, cell: (limit) => <Used limit={limit} /> },
      {
        id: 'setBy',
        header: t.setBy,
        cell: (limit) => (
          <Stack gap={2} align="flex-start">
            <span>{limit.isDefault ? t.default : t.setters[limit.setBy]}</span>
            <Requested limit={limit} />
          </Stack>
        ),
      },
      ...(mayChange
        ? [
            {
              id: 'acts',
              header: t.acts,
              isActions: true,
              cell: (limit: Limit) =>
                limit.setBy === setBy && <LimitActs owner={{ merchantId, setBy }} limit={limit} />,
            },
          ]
        : []),
    ],
    [t, kinds, periods, merchantId, setBy, mayChange],
  );
}

/** "Each API token", or the one that is meant. */
function Scope({ limit: { scope, subject } }: { readonly limit: Limit }) {
  const scopes = useWords(LIMIT_SCOPE_WORDS);
  const names = useNames();
  const named = { PROVIDER: names.provider, COUNTRY: names.country } as const;
  const nameOf = scope === 'PROVIDER' || scope === 'COUNTRY' ? named[scope] : (text: string) => text;
  return (
    <Text component="span" size="xs" c="dimmed" fw={400} style={{ overflowWrap: 'anywhere' }}>
      {subject === '' ? scopes[scope] : nameOf(subject)}
    </Text>
  );
}

function Maxima({ limit: { countMax, amountMax, currency } }: { readonly limit: Limit }) {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  return (
    <Stack gap={0} className="figures">
      {countMax !== null && <span>{t.payments(groupDigits(String(countMax), language))}</span>}
      {amountMax !== null && (
        <span style={{ whiteSpace: 'nowrap' }}>{`${groupDigits(amountMax, language)} ${currency}`}</span>
      )}
      {amountMax === null && currency !== '' && (
        <Text component="span" size="xs" c="dimmed">
          {currency}
        </Text>
      )}
    </Stack>
  );
}

/** In the period of now; where each is counted apart there is no one figure. */
function Used({ limit: { used, amountMax, countMax, currency, startsAgainAt } }: { readonly limit: Limit }) {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  if (used === null)
    return (
      <Text component="span" size="sm" c="dimmed">
        {t.apart}
      </Text>
    );
  const isReached = countMax !== null && used.count >= countMax;
  return (
    <Stack gap={0} align="flex-start">
      <span className="figures">
        {amountMax === null
          ? t.payments(groupDigits(String(used.count), language))
          : `${groupDigits(used.amount, language)} ${currency}`}
      </span>
      {isReached && <StateBadge state="CLOSED">{t.reached}</StateBadge>}
      <Text component="span" size="xs" c="dimmed">
        {t.again} <Time at={startsAgainAt} />
      </Text>
    </Stack>
  );
}

function Requested({ limit: { approval } }: { readonly limit: Limit }) {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  if (approval === null) return null;
  const [, wanted = ''] = limitRequestTitle(approval.details, language).split(' → ');
  return (
    <StateBadge state="PENDING" tone="trouble">
      {t.pending(wanted)}
    </StateBadge>
  );
}

type LimitActsProps = { readonly owner: LimitOwner; readonly limit: Limit };

function LimitActs({ owner, limit }: LimitActsProps) {
  const t = useWords(WORDS);
  const { approval } = limit;
  const remove = useAct({
    act: () => removeLimit(owner, limit),
    done: ({ outcome }) => (outcome === 'DONE' ? t.removed : t.requested),
  });
  return (
    <Group gap="xs" wrap="nowrap">
      {approval?.isOwn === true && <Withdraw approval={approval} isAtMerchant={owner.setBy === 'MERCHANT'} />}
      <LimitButton owner={owner} limit={limit} />
      {!limit.isDefault && (
        <ConfirmButton
          label={t.remove}
          question={owner.setBy === 'PLATFORM' ? t.removeQuestion : t.removeOwn}
          isPending={remove.isPending}
          onConfirm={() => remove.mutateAsync(undefined)}
        />
      )}
    </Group>
  );
}

const WORDS = words({
  en: {
    label: 'Limits',
    what: 'Limit',
    max: 'Maximum',
    used: 'Used',
    apart: 'Counted for each',
    again: 'Starts again',
    reached: 'Reached',
    setBy: 'Set by',
    setters: { PLATFORM: 'Platform', MERCHANT: 'Merchant' },
    default: 'Default of the platform',
    payments: (count: string) => `${count} payments`,
    pending: (wanted: string) => `Pending approval: ${wanted}`,
    acts: 'Actions',
    remove: 'Remove',
    removeQuestion:
      'A default limit counts again where there is one. In production another person must approve this.',
    removeOwn: 'Payments are no longer limited by it. In production the platform must approve this.',
    removed: 'Limit removed.',
    requested: 'Sent for approval. The limit holds until another person approves.',
  },
  fr: {
    label: 'Limites',
    what: 'Limite',
    max: 'Maximum',
    used: 'Utilisé',
    apart: 'Compté pour chacun',
    again: 'Remise à zéro',
    reached: 'Atteinte',
    setBy: 'Fixée par',
    setters: { PLATFORM: 'Plateforme', MERCHANT: 'Marchand' },
    default: 'Valeur par défaut',
    payments: (count: string) => `${count} paiements`,
    pending: (wanted: string) => `En attente d’approbation : ${wanted}`,
    acts: 'Actions',
    remove: 'Supprimer',
    removeQuestion:
      'La limite par défaut vaut à nouveau s’il y en a une. En production, une autre personne doit approuver.',
    removeOwn: 'Elle ne limite plus les paiements. En production, la plateforme doit approuver.',
    removed: 'Limite supprimée.',
    requested: 'Envoyé pour approbation. La limite tient jusqu’à ce qu’une autre personne approuve.',
  },
});
