import { Alert, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { WaitingApprovals } from '../../parts/approval-list.tsx';
import { notifyChanged } from '../../parts/cells-notice.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FreezeButton } from '../../parts/freeze-button.tsx';
import { FREEZE_SCOPE_WORDS } from '../../parts/limit-words.ts';
import { Masked } from '../../parts/masked.tsx';
import { ReasonButton } from '../../parts/reason-button.tsx';
import { SmallCode, useNames } from '../../parts/names.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';

type Freeze = AnswerOf<'listFreezes'>['freezes'][number];

const WAITING_KINDS = ['FREEZE_LIFT'] as const;

export function Freezes() {
  const t = useWords(WORDS);
  const { may } = useHost();
  const freezes = useQuery(reading('/console/api/host/freezes', {}));
  const columns = useColumns();
  const missing = freezes.data?.missingCells ?? [];
  const isEmpty = freezes.data?.freezes.length === 0;
  return (
    <Stack gap="lg">
      {may('risk:write') && !isEmpty && (
        <Group>
          <FreezeButton variant="filled" />
        </Group>
      )}
      {missing.length > 0 && (
        <Alert color="yellow" title={t.missing(missing.join(', '))}>
          {t.missingHint}
        </Alert>
      )}
      <DataTable
        label={t.label}
        columns={columns}
        rows={freezes.data?.freezes}
        rowKey={({ freezeId }) => freezeId}
        skeletonRows={3}
        error={freezes.error}
        onRetry={() => void freezes.refetch()}
        empty={
          <EmptyState
            icon="shield"
            title={t.none}
            {...(may('risk:write') ? { action: <FreezeButton variant="filled" /> } : {})}
          >
            {t.noneHint}
          </EmptyState>
        }
      />
      <WaitingApprovals kinds={WAITING_KINDS} />
    </Stack>
  );
}

function useColumns(): readonly Column<Freeze>[] {
  const t = useWords(WORDS);
  const { may } = useHost();
  const mayWrite = may('risk:write');
  return useMemo(
    () => [
      {
        id: 'what',
        header: t.what,
        isHeading: true,
        cell: (freeze) => <What freeze={freeze} />,
      },
      {
        id: 'reason',
        header: t.reason,
        onPhone: 'plain',
        cell: ({ reason, liftReason }) => (
          <Stack gap={0}>
            <Text component="span" size="sm" style={{ overflowWrap: 'anywhere' }}>
              {reason ?? t.hidden}
            </Text>
            {liftReason !== null && (
              <Text component="span" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {t.liftReason(liftReason)}
              </Text>
            )}
          </Stack>
        ),
      },
      {
        id: 'since',
        header: t.since,
        cell: ({ frozenAt, frozenBy }) => (
          <Stack gap={0}>
            <Time at={frozenAt} />
            <Text component="span" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {frozenBy}
            </Text>
          </Stack>
        ),
      },
      {
        id: 'until',
        header: t.until,
        cell: ({ expiresAt }) => (expiresAt === null ? t.untilLifted : <Time at={expiresAt} />),
      },
      ...(mayWrite
        ? [
            {
              id: 'acts',
              header: t.acts,
              isActions: true,
              cell: (freeze: Freeze) => <LiftButton freeze={freeze} />,
            },
          ]
        : []),
    ],
    [t, mayWrite],
  );
}

/** "Merchant", and below it which one. */
function What({ freeze }: { readonly freeze: Freeze }) {
  const t = useWords(WORDS);
  const scopes = useWords(FREEZE_SCOPE_WORDS);
  const { scope, cellsWithout } = freeze;
  return (
    <Stack gap={2} align="flex-start">
      <span>{scopes[scope]}</span>
      {scope !== 'ALL' && <Subject freeze={freeze} />}
      {cellsWithout.length > 0 && (
        <StateBadge state="PARTIAL" tone="failure">
          {t.notIn(cellsWithout.join(', '))}
        </StateBadge>
      )}
    </Stack>
  );
}

function Subject({ freeze }: { readonly freeze: Freeze }) {
  const { mayReveal } = useHost();
  const names = useNames();
  const { freezeId, scope, subject, name } = freeze;
  if (scope === 'NUMBER') {
    const reveal = async () => {
      const params = { path: { freezeId } };
      return (await answer(api.POST('/console/api/host/freezes/{freezeId}/reveal', { params }))).phoneNumber;
    };
    return <Masked masked={subject} {...(mayReveal ? { reveal } : {})} />;
  }
  const known = scope === 'PROVIDER' ? names.provider(subject) : name;
  return (
    <Text component="span" size="sm" fw={400} className="name" style={{ overflowWrap: 'anywhere' }}>
      {known ?? subject}
      {known !== null && known !== subject && <SmallCode>{subject}</SmallCode>}
    </Text>
  );
}

function LiftButton({ freeze: { freezeId } }: { readonly freeze: Freeze }) {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  const lift = useAct({
    act: (reason: string) =>
      answer(
        api.POST('/console/api/host/freezes/{freezeId}/lift', {
          params: { path: { freezeId } },
          body: { reason },
        }),
      ) as Promise<AnswerOf<'liftFreeze'>>,
    onDone: ({ outcome, missingCells }) =>
      notifyChanged(outcome === 'DONE' ? t.lifted : t.requested, missingCells, language),
  });
  return (
    <ReasonButton label={t.lift} isPending={lift.isPending} onConfirm={(reason) => lift.mutateAsync(reason)}>
      {t.liftQuestion}
    </ReasonButton>
  );
}

const WORDS = words({
  en: {
    label: 'Freezes in force',
    what: 'Frozen',
    reason: 'Reason',
    hidden: 'Hidden',
    liftReason: (reason: string) => `To be lifted: ${reason}`,
    since: 'Since',
    until: 'Ends',
    untilLifted: 'When lifted',
    acts: 'Actions',
    none: 'Nothing is frozen',
    noneHint:
      'Freeze a merchant, an API token, a recipient or a provider to stop its outgoing payments at once.',
    missing: (cells: string) => `Cell ${cells} does not answer`,
    missingHint: 'Its freezes are not shown. Look again when it is back.',
    notIn: (cells: string) => `Not in cell ${cells}: freeze again`,
    lift: 'Lift',
    liftQuestion:
      'This freeze ends. Payments that waited are then sent, the oldest first, unless another freeze covers them. In ' +
      'production another person must approve this.',
    lifted: 'Freeze lifted. Payments that no other freeze covers are sent.',
    requested: 'Sent for approval. The freeze holds until another person approves.',
  },
  fr: {
    label: 'Gels en vigueur',
    what: 'Gelé',
    reason: 'Motif',
    hidden: 'Masqué',
    liftReason: (reason: string) => `Levée demandée : ${reason}`,
    since: 'Depuis',
    until: 'Fin',
    untilLifted: 'À sa levée',
    acts: 'Actions',
    none: 'Rien n’est gelé',
    noneHint:
      'Gelez un marchand, un jeton d’API, un bénéficiaire ou un opérateur pour arrêter ses paiements sortants.',
    missing: (cells: string) => `La cellule ${cells} ne répond pas`,
    missingHint: 'Ses gels ne sont pas affichés. Revenez quand elle répond.',
    notIn: (cells: string) => `Absent de la cellule ${cells} : gelez à nouveau`,
    lift: 'Lever',
    liftQuestion:
      'Ce gel prend fin. Les paiements en attente sont alors envoyés, les plus anciens d’abord, sauf si un autre gel ' +
      'les couvre. En production, une autre personne doit approuver.',
    lifted: 'Gel levé. Les paiements qu’aucun autre gel ne couvre sont envoyés.',
    requested: 'Envoyé pour approbation. Le gel tient jusqu’à ce qu’une autre personne approuve.',
  },
});
