import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { Copied } from '../../parts/copied.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { KIND_WORDS, KINDS, type Kind } from '../../parts/kind-words.ts';
import { Page } from '../../parts/page.tsx';
import { StateBadge, type Tone } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { CallbackActs } from './callback-acts.tsx';
import { SetAddressButton } from './set-address-button.tsx';

type Endpoint = AnswerOf<'readCallbackAddresses'>['endpoints'][number];

/** A kind, and where its callbacks go. */
type Row = { readonly kind: Kind; readonly endpoint: Endpoint | null };

export function CallbackScreen() {
  const { merchantId, may } = useMerchant();
  const said = useWords(WORDS);
  const addresses = useQuery({
    ...reading('/console/api/merchants/{merchantId}/callbacks', { params: { path: { merchantId } } }),
    refetchInterval: 15_000,
  });
  const columns = useColumns(may('settings:write'));
  const rows = addresses.data && rowsOf(addresses.data.endpoints);
  return (
    <Page
      title={said.title}
      hint={
        <>
          {said.hint} {said.signedFor} <Copied value={merchantId} />
        </>
      }
      actions={may('settings:write') && <SetAddressButton label={said.setAll} kinds={KINDS} url="" />}
    >
      <DataTable
        label={said.title}
        columns={columns}
        rows={rows}
        rowKey={({ kind }) => kind}
        skeletonRows={KINDS.length}
        error={addresses.error}
        onRetry={() => void addresses.refetch()}
        empty={<EmptyState icon="callbacks" title={said.none} />}
      />
    </Page>
  );
}

/** Failing endpoints first. */
function rowsOf(endpoints: readonly Endpoint[]): readonly Row[] {
  const rows = KINDS.map((kind) => ({ kind, endpoint: endpoints.find((one) => one.kind === kind) ?? null }));
  const isFailing = ({ endpoint }: Row) => endpoint !== null && endpoint.state !== 'WORKING';
  return [...rows.filter(isFailing), ...rows.filter((row) => !isFailing(row))];
}

function useColumns(mayChange: boolean): readonly Column<Row>[] {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  return useMemo(
    () => [
      { id: 'kind', header: said.kind, isHeading: true, cell: ({ kind }) => kinds[kind] },
      {
        id: 'url',
        header: said.url,
        cell: ({ endpoint }) => (
          <Text
            component="span"
            inherit
            display="inline-block"
            miw={{ base: 0, md: 240 }}
            style={{ overflowWrap: 'anywhere' }}
          >
            {endpoint?.url ?? '—'}
          </Text>
        ),
      },
      { id: 'state', header: said.state, cell: ({ endpoint }) => <Health endpoint={endpoint} /> },
      {
        id: 'waiting',
        header: said.waiting,
        align: 'end',
        onPhone: 'below',
        cell: ({ endpoint }) => <span className="figures">{waitingOf(endpoint)}</span>,
      },
      ...(mayChange
        ? [
            {
              id: 'acts',
              header: said.acts,
              isActions: true,
              cell: ({ kind, endpoint }: Row) => <CallbackActs kind={kind} endpoint={endpoint} />,
            },
          ]
        : []),
    ],
    [said, kinds, mayChange],
  );
}

/** The server counts no further. */
const WAITING_MAX = 1_000;

function waitingOf(endpoint: Endpoint | null): string {
  if (endpoint === null) return '—';
  return endpoint.waiting >= WAITING_MAX ? `${WAITING_MAX}+` : String(endpoint.waiting);
}

const TONES: Readonly<Record<Endpoint['state'], Tone>> = {
  WORKING: 'success',
  FAILING: 'trouble',
  SWITCHED_OFF: 'failure',
};

function Health({ endpoint }: { readonly endpoint: Endpoint | null }) {
  const said = useWords(WORDS);
  if (endpoint === null) return <StateBadge state="NOWHERE">{said.nowhere}</StateBadge>;
  const { state, because, failureCount, since } = endpoint;
  return (
    <div>
      <StateBadge state={state} tone={TONES[state]}>
        {said[state]}
      </StateBadge>
      {state !== 'WORKING' && (
        <Text size="sm" c="dimmed">
          {because === 'GONE' ? said.gone : said.failures(failureCount)}
          {since !== null && (
            <>
              {' '}
              {state === 'FAILING' ? said.since : said.off} <Time at={since} isExact />
            </>
          )}
        </Text>
      )}
    </div>
  );
}

const WORDS = words({
  en: {
    title: 'Callback addresses',
    hint: 'We send a signed callback (webhook) when a payment finishes, and retry until you return 2xx.',
    signedFor: 'The signature is made for your merchant ID:',
    setAll: 'Set endpoint',
    kind: 'Event',
    url: 'Endpoint',
    state: 'Status',
    waiting: 'Queued',
    acts: 'Actions',
    none: 'No events',
    nowhere: 'Not set',
    WORKING: 'Working',
    FAILING: 'Failing',
    SWITCHED_OFF: 'Disabled',
    gone: 'Your server answered 410 (Gone).',
    since: 'since',
    off: 'Disabled',
    failures: (count: number) => `${count} failed ${count === 1 ? 'attempt' : 'attempts'}`,
  },
  fr: {
    title: 'Adresses de callback',
    hint:
      'Nous envoyons un callback (webhook) signé quand un paiement se termine, et réessayons jusqu’à une réponse ' +
      '2xx.',
    signedFor: 'La signature vaut pour votre identifiant de marchand\u00A0:',
    setAll: 'Définir l’adresse',
    kind: 'Événement',
    url: 'Adresse',
    state: 'Statut',
    waiting: 'En file',
    acts: 'Actions',
    none: 'Aucun événement',
    nowhere: 'Non définie',
    WORKING: 'Fonctionne',
    FAILING: 'En échec',
    SWITCHED_OFF: 'Désactivée',
    gone: 'Votre serveur a répondu 410 (Gone).',
    since: 'depuis le',
    off: 'Désactivée le',
    failures: (count: number) => `${count} ${count === 1 ? 'tentative échouée' : 'tentatives échouées'}`,
  },
});
