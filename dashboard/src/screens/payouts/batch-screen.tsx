import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { FieldList } from '../../parts/field-list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { BatchDecision } from './batch-decision.tsx';
import { BatchProgress } from './batch-progress.tsx';
import { BatchRows } from './batch-rows.tsx';
import { BATCH_TONES, BATCH_WORDS, type Batch } from './batch-words.ts';
import { ResultButtons } from './result-buttons.tsx';
import { WalletSums } from './wallet-sums.tsx';

/** While payouts are on their way. */
const LOOK_AGAIN_MS = 2_000;

export function BatchScreen() {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const { batchId = '' } = useParams({ strict: false });
  const batch = useQuery({
    ...reading('/console/api/merchants/{merchantId}/payout-batches/{batchId}', {
      params: { path: { merchantId, batchId } },
    }),
    refetchInterval: ({ state }) => (isMoving(state.data) ? LOOK_AGAIN_MS : false),
  });
  return (
    <Loaded
      query={batch}
      skeleton={
        <Page title={said.title}>
          <Skeleton height={320} />
        </Page>
      }
    >
      {(data) => <BatchPage batch={data} />}
    </Loaded>
  );
}

function BatchPage({ batch }: { readonly batch: Batch }) {
  const said = useWords(WORDS);
  const isSent = batch.status !== 'WAITING' && batch.status !== 'CANCELLED';
  return (
    <Page title={batch.title} actions={<ResultButtons batch={batch} />}>
      <Stack gap="lg">
        {batch.status === 'WAITING' && <BatchDecision batch={batch} />}
        {isSent && <BatchProgress batch={batch} />}
        <BatchFacts batch={batch} />
        <Section title={said.wallets}>
          <WalletSums wallets={batch.wallets} />
        </Section>
        <Section title={said.payouts}>
          <BatchRows batch={batch} isMoving={isMoving(batch)} />
        </Section>
      </Stack>
    </Page>
  );
}

function BatchFacts({ batch }: { readonly batch: Batch }) {
  const said = useWords(WORDS);
  const statuses = useWords(BATCH_WORDS);
  return (
    <FieldList
      fields={[
        {
          label: said.status,
          value: (
            <StateBadge state={batch.status} tone={BATCH_TONES[batch.status]}>
              {statuses[batch.status]}
            </StateBadge>
          ),
        },
        { label: said.preparedBy, value: <PersonAt person={batch.preparedBy} at={batch.preparedAt} /> },
        {
          label: said.approvedBy,
          value:
            batch.approval?.status !== 'APPROVED' || batch.approval.decision === null ? null : (
              <PersonAt person={batch.approval.decision.by} at={batch.approval.decision.at} />
            ),
        },
        {
          label: said.cancelledBy,
          value:
            batch.cancelledBy === null || batch.endedAt === null ? null : (
              <PersonAt person={batch.cancelledBy} at={batch.endedAt} />
            ),
        },
      ]}
    />
  );
}

function PersonAt({ person, at }: { readonly person: string; readonly at: string }) {
  return (
    <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
      {person}
      <Text component="span" size="sm" c="dimmed">
        <Time at={at} />
      </Text>
    </Stack>
  );
}

/** Whether something of it can still change without anybody doing anything. */
function isMoving(batch: Batch | undefined): boolean {
  if (batch === undefined || batch.status === 'WAITING' || batch.status === 'CANCELLED') return false;
  if (batch.status === 'SENDING') return true;
  const { COMPLETED: completed = 0, FAILED: failed = 0 } = batch.states;
  return completed + failed + batch.rejectedCount + batch.cancelledCount < batch.count;
}

const WORDS = words({
  en: {
    title: 'Payouts',
    status: 'Status',
    preparedBy: 'Prepared by',
    approvedBy: 'Approved by',
    cancelledBy: 'Cancelled by',
    wallets: 'Wallets',
    payouts: 'Payouts',
  },
  fr: {
    title: 'Versements',
    status: 'Statut',
    preparedBy: 'Préparé par',
    approvedBy: 'Approuvé par',
    cancelledBy: 'Annulé par',
    wallets: 'Portefeuilles',
    payouts: 'Versements',
  },
});
