import { Modal, Stack, Tabs, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { reading } from '../api/queries.ts';
import { useWords, words } from '../language.tsx';
import { useScope } from '../me.ts';
import { ApprovalActs, type Approval } from './approval-acts.tsx';
import { ApprovalDetail } from './approval-detail.tsx';
import { KIND_OF_APPROVAL_WORDS, titleOf } from './approval-words.ts';
import { useCursor } from './cursor.ts';
import { DataTable, type Column } from './data-table.tsx';
import { useReader } from './detail-values.ts';
import { EmptyState } from './empty-state.tsx';
import { Invited } from './invited.tsx';
import { Section } from './page.tsx';
import { StateBadge } from './state-badge.tsx';
import { Time } from './time.tsx';

type Status = 'PENDING' | 'DECIDED';
type Kinds = readonly Approval['kind'][];

type ListProps = {
  readonly status: Status;
  /** All of them by default. */
  readonly kinds?: Kinds;
};

/** Requests that are pending here, or were decided. */
export function ApprovalList({ status, kinds }: ListProps) {
  const said = useWords(WORDS);
  const { cursor, pagingOf } = useCursor();
  const approvals = useApprovals({ status, kinds, cursor });
  const { columns, dialog } = useColumns(status);
  const isPending = status === 'PENDING';
  return (
    <>
      <DataTable
        label={isPending ? said.pending : said.decided}
        columns={columns}
        rows={approvals.data?.rows}
        rowKey={({ approvalId }) => approvalId}
        skeletonRows={2}
        paging={pagingOf(approvals.data?.next ?? null)}
        error={approvals.error}
        onRetry={() => void approvals.refetch()}
        empty={
          <EmptyState icon="approve" title={isPending ? said.nothing : said.nothingDecided}>
            {said.nothingHint}
          </EmptyState>
        }
      />
      {dialog}
    </>
  );
}

/** Both, each under its tab. */
export function ApprovalTabs({ kinds }: Pick<ListProps, 'kinds'>) {
  const said = useWords(WORDS);
  const of = kinds === undefined ? {} : { kinds };
  return (
    <Tabs defaultValue="PENDING" keepMounted={false}>
      <Tabs.List mb="sm">
        <Tabs.Tab value="PENDING">{said.pending}</Tabs.Tab>
        <Tabs.Tab value="DECIDED">{said.decided}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="PENDING">
        <ApprovalList status="PENDING" {...of} />
      </Tabs.Panel>
      <Tabs.Panel value="DECIDED">
        <ApprovalList status="DECIDED" {...of} />
      </Tabs.Panel>
    </Tabs>
  );
}

type WaitingProps = {
  readonly kinds: Kinds;
  /** At the host's own screens, what is pending at merchants is left out. */
  readonly isHostOnly?: boolean;
  /** Only what is about this merchant. */
  readonly merchantId?: string;
};

/** Of these kinds, on the screen where they are requested. Nothing is shown where nothing is pending. */
export function WaitingApprovals({ kinds, isHostOnly = false, merchantId: only }: WaitingProps) {
  const said = useWords(WORDS);
  const approvals = useApprovals({ status: 'PENDING', kinds });
  const { columns, dialog } = useColumns('PENDING');
  const rows = (approvals.data?.rows ?? []).filter(
    ({ merchantId }) => (!isHostOnly || merchantId === null) && (only === undefined || merchantId === only),
  );
  return (
    <>
      {rows.length > 0 && (
        <Section title={said.pending}>
          <DataTable
            label={said.pending}
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

type Asked = {
  readonly status: Status;
  readonly kinds?: Kinds | undefined;
  readonly cursor?: string | undefined;
};

function useApprovals({ status, kinds, cursor }: Asked) {
  const scope = useScope();
  const query = {
    status,
    ...(kinds === undefined ? {} : { kinds: kinds.join(',') }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  const atMerchant = useQuery({
    ...reading('/console/api/merchants/{merchantId}/approvals', {
      params: { path: { merchantId: scope?.type === 'merchant' ? scope.merchantId : '' }, query },
    }),
    enabled: scope?.type === 'merchant',
    placeholderData: keepPreviousData,
  });
  const atHost = useQuery({
    ...reading('/console/api/host/approvals', { params: { query } }),
    enabled: scope?.type === 'host',
    placeholderData: keepPreviousData,
  });
  return scope?.type === 'host' ? atHost : atMerchant;
}

/** The dialog outlives its row: what was approved waits no longer. */
function useColumns(status: Status) {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_OF_APPROVAL_WORDS);
  const reader = useReader();
  const isHost = useScope()?.type === 'host';
  const [invited, setInvited] = useState<{ readonly email: string; readonly link: string } | null>(null);
  const columns = useMemo(
    (): readonly Column<Approval>[] => [
      {
        id: 'what',
        header: said.what,
        isHeading: true,
        cell: (approval) => {
          const title = titleOf(approval, reader);
          const { name } = kinds[approval.kind];
          return (
            <Stack gap={2} align="flex-start" style={{ overflowWrap: 'anywhere' }}>
              <span>{title === '' ? name : title}</span>
              {title !== '' && <Dimmed>{name}</Dimmed>}
              {approval.status === 'PENDING' && (
                <StateBadge state="PENDING" tone="trouble">
                  {said.PENDING}
                </StateBadge>
              )}
            </Stack>
          );
        },
      },
      ...(isHost ? [{ id: 'where', header: said.where, cell: whereOf(said.here) }] : []),
      {
        id: 'detail',
        header: said.detail,
        onPhone: 'plain',
        cell: (approval) => <ApprovalDetail approval={approval} />,
      },
      {
        id: 'requested',
        header: said.requested,
        onPhone: 'plain',
        cell: ({ requestedBy, requestedAt }) => <Who by={requestedBy} at={requestedAt} />,
      },
      ...(status === 'PENDING'
        ? [
            {
              id: 'acts',
              header: said.acts,
              isActions: true,
              cell: (approval: Approval) => <ApprovalActs approval={approval} onInvited={setInvited} />,
            },
          ]
        : [{ id: 'decision', header: said.decision, onPhone: 'plain' as const, cell: decisionOf }]),
    ],
    [said, kinds, reader, isHost, status],
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

function decisionOf(approval: Approval) {
  return <Decision approval={approval} />;
}

function Decision({ approval: { status, decision } }: { readonly approval: Approval }) {
  const said = useWords(WORDS);
  if (decision === null) return null;
  return (
    <Stack gap={2} align="flex-start">
      <StateBadge state={status}>{said[status]}</StateBadge>
      <Who by={decision.by} at={decision.at} />
      {decision.reason !== null && <Dimmed>{decision.reason}</Dimmed>}
    </Stack>
  );
}

function Who({ by, at }: { readonly by: string; readonly at: string }) {
  return (
    <Stack gap={0} miw={{ base: 0, md: 190 }} style={{ overflowWrap: 'anywhere' }}>
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
    pending: 'Pending approval',
    decided: 'Decided',
    what: 'Request',
    where: 'Merchant',
    here: 'Platform',
    detail: 'Details',
    requested: 'Requested by',
    decision: 'Decision',
    PENDING: 'Pending approval',
    APPROVED: 'Approved',
    REJECTED: 'Rejected',
    WITHDRAWN: 'Cancelled',
    acts: 'Actions',
    invited: 'Invitation',
    nothing: 'No pending requests',
    nothingDecided: 'No decisions yet',
    nothingHint: 'Requests appear here until another person approves or rejects them.',
  },
  fr: {
    pending: 'En attente d’approbation',
    decided: 'Décidées',
    what: 'Demande',
    where: 'Marchand',
    here: 'Plateforme',
    detail: 'Détails',
    requested: 'Demandé par',
    decision: 'Décision',
    PENDING: 'En attente d’approbation',
    APPROVED: 'Approuvée',
    REJECTED: 'Rejetée',
    WITHDRAWN: 'Annulée',
    acts: 'Actions',
    invited: 'Invitation',
    nothing: 'Aucune demande en attente',
    nothingDecided: 'Aucune décision pour le moment',
    nothingHint:
      'Les demandes apparaissent ici jusqu’à ce qu’une autre personne les approuve ou les rejette.',
  },
});
