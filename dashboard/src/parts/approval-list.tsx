import { Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { reading } from '../api/queries.ts';
import { useWords, words } from '../language.tsx';
import { useScope } from '../me.ts';
import { ApprovalActs, type Approval } from './approval-acts.tsx';
import { KIND_OF_APPROVAL_WORDS } from './approval-words.ts';
import { DataTable, type Column } from './data-table.tsx';
import { EmptyState } from './empty-state.tsx';
import { Invited } from './invited.tsx';
import { Section } from './page.tsx';
import { ROLE_WORDS } from './role-words.ts';
import { StateBadge } from './state-badge.tsx';
import { Time } from './time.tsx';

type Status = 'OPEN' | 'DECIDED';

/** What waits for a second person here, or was decided. */
export function ApprovalList({ status }: { readonly status: Status }) {
  const said = useWords(WORDS);
  const approvals = useApprovals(status);
  const { columns, dialog } = useColumns(status);
  return (
    <>
      <DataTable
        label={status === 'OPEN' ? said.waiting : said.decided}
        columns={columns}
        rows={approvals.data?.approvals}
        rowKey={({ approvalId }) => approvalId}
        skeletonRows={2}
        error={approvals.error}
        onRetry={() => void approvals.refetch()}
        empty={
          <EmptyState icon="approve" title={status === 'OPEN' ? said.nothing : said.nothingDecided}>
            {said.nothingHint}
          </EmptyState>
        }
      />
      {dialog}
    </>
  );
}

type WaitingProps = {
  readonly kinds: readonly Approval['kind'][];
  /** At the host's own screens, what waits at merchants is left out. */
  readonly isHostOnly?: boolean;
};

/** Of these kinds, on the screen where they are asked for. Nothing is shown where nothing waits. */
export function WaitingApprovals({ kinds, isHostOnly = false }: WaitingProps) {
  const said = useWords(WORDS);
  const approvals = useApprovals('OPEN');
  const { columns, dialog } = useColumns('OPEN');
  const rows = (approvals.data?.approvals ?? []).filter(
    ({ kind, merchantId }) => kinds.includes(kind) && !(isHostOnly && merchantId !== null),
  );
  return (
    <>
      {rows.length > 0 && (
        <Section title={said.waiting}>
          <DataTable
            label={said.waiting}
            columns={columns}
            rows={rows}
            rowKey={({ approvalId }) => approvalId}
            empty={null}
          />
        </Section>
      )}
      {dialog}
    </>
  );
}

function useApprovals(status: Status) {
  const scope = useScope();
  const query = { status };
  const atMerchant = useQuery({
    ...reading('/console/api/merchants/{merchantId}/approvals', {
      params: { path: { merchantId: scope?.type === 'merchant' ? scope.merchantId : '' }, query },
    }),
    enabled: scope?.type === 'merchant',
  });
  const atHost = useQuery({
    ...reading('/console/api/host/approvals', { params: { query } }),
    enabled: scope?.type === 'host',
  });
  return scope?.type === 'host' ? atHost : atMerchant;
}

/** The dialog outlives its row: what was approved waits no longer. */
function useColumns(status: Status) {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_OF_APPROVAL_WORDS);
  const isHost = useScope()?.type === 'host';
  const [invited, setInvited] = useState<{ readonly email: string; readonly link: string } | null>(null);
  const columns = useMemo(
    (): readonly Column<Approval>[] => [
      {
        id: 'what',
        header: said.what,
        isHeading: true,
        cell: ({ kind, subject, decision }) => (
          <Stack gap={2} align="flex-start" style={{ overflowWrap: 'anywhere' }}>
            <span>{subject ?? kinds[kind].name}</span>
            {subject !== null && <Dimmed>{kinds[kind].name}</Dimmed>}
            {decision === null && (
              <StateBadge state="WAITING" tone="trouble">
                {said.waits}
              </StateBadge>
            )}
          </Stack>
        ),
      },
      ...(isHost ? [{ id: 'where', header: said.where, cell: whereOf(said.here) }] : []),
      { id: 'detail', header: said.detail, cell: (approval) => <Detail approval={approval} /> },
      {
        id: 'asked',
        header: said.asked,
        cell: ({ askedBy, askedAt }) => <Who by={askedBy} at={askedAt} />,
      },
      ...(status === 'OPEN'
        ? [
            {
              id: 'acts',
              header: said.acts,
              isActions: true,
              cell: (approval: Approval) => <ApprovalActs approval={approval} onInvited={setInvited} />,
            },
          ]
        : [{ id: 'decision', header: said.decision, cell: decisionOf }]),
    ],
    [said, kinds, isHost, status],
  );
  const close = () => setInvited(null);
  const dialog = (
    <Modal
      opened={invited !== null}
      onClose={close}
      title={said.invited}
      centered
      closeOnClickOutside={false}
    >
      {invited !== null && <Invited {...invited} onClose={close} />}
    </Modal>
  );
  return { columns, dialog };
}

function whereOf(here: string) {
  return ({ merchant }: Approval) => merchant ?? here;
}

function decisionOf({ decision }: Approval) {
  return decision === null ? null : <Decision {...decision} />;
}

function Decision({ type, by, at }: NonNullable<Approval['decision']>) {
  const said = useWords(WORDS);
  return (
    <Stack gap={2} align="flex-start">
      <StateBadge state={type}>{said[type]}</StateBadge>
      <Who by={by} at={at} />
    </Stack>
  );
}

function Detail({ approval }: { readonly approval: Approval }) {
  const { scopes, fingerprint, role, ends, reason } = approval;
  const roles = useWords(ROLE_WORDS);
  const said = useWords(WORDS);
  const what = role === null ? (ends ?? fingerprint ?? scopes.join(', ')) : roles[role];
  const confirmed = approval.confirmedBy === null ? '' : said.confirmed(approval.confirmedBy);
  const text = [what, reason ?? '', confirmed].filter((part) => part !== '').join(' · ');
  return (
    <Text component="span" size="sm" maw={300} display="inline-block" style={{ overflowWrap: 'anywhere' }}>
      {text === '' ? '–' : text}
    </Text>
  );
}

function Who({ by, at }: { readonly by: string; readonly at: string }) {
  return (
    <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
      <span>{by}</span>
      <Dimmed>
        <Time at={at} />
      </Dimmed>
    </Stack>
  );
}

function Dimmed({ children }: { readonly children: React.ReactNode }) {
  return (
    <Text component="span" size="xs" c="dimmed">
      {children}
    </Text>
  );
}

const WORDS = words({
  en: {
    waiting: 'Waiting for a second person',
    decided: 'Decided',
    what: 'What',
    where: 'Where',
    here: 'this gateway',
    detail: 'Exactly',
    asked: 'Asked by',
    decision: 'Decision',
    waits: 'waits for a second person',
    APPROVED: 'approved',
    REFUSED: 'refused',
    WITHDRAWN: 'taken back',
    confirmed: (by: string) => `approved by ${by}`,
    acts: 'Decide',
    invited: 'Invitation',
    nothing: 'Nothing waits for a second person',
    nothingDecided: 'Nothing was decided yet',
    nothingHint: 'Tokens that let money out, public keys, and people who decide appear here when asked for.',
  },
  fr: {
    waiting: 'En attente d’une seconde personne',
    decided: 'Décidé',
    what: 'Quoi',
    where: 'Où',
    here: 'cette passerelle',
    detail: 'Précisément',
    asked: 'Demandé par',
    decision: 'Décision',
    waits: 'attend une seconde personne',
    APPROVED: 'approuvé',
    REFUSED: 'refusé',
    WITHDRAWN: 'retiré',
    confirmed: (by: string) => `approuvé par ${by}`,
    acts: 'Décider',
    invited: 'Invitation',
    nothing: 'Rien n’attend une seconde personne',
    nothingDecided: 'Rien n’a encore été décidé',
    nothingHint:
      'Les jetons qui laissent sortir de l’argent, les clés publiques et les personnes qui décident apparaissent ici.',
  },
});
