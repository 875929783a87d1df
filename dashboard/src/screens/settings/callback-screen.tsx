import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
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
      hint={said.hint}
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

function rowsOf(endpoints: readonly Endpoint[]): readonly Row[] {
  return KINDS.map((kind) => ({ kind, endpoint: endpoints.find((one) => one.kind === kind) ?? null }));
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
          <Text component="span" inherit style={{ overflowWrap: 'anywhere' }}>
            {endpoint?.url ?? '—'}
          </Text>
        ),
      },
      { id: 'state', header: said.state, cell: ({ endpoint }) => <Health endpoint={endpoint} /> },
      {
        id: 'waiting',
        header: said.waiting,
        align: 'end',
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
              {state === 'FAILING' ? said.first : said.off} <Time at={since} />
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
    hint: 'Where your server is told how payments ended: signed, and repeated until it answers with a 2xx.',
    setAll: 'Set address',
    kind: 'About',
    url: 'Address',
    state: 'Health',
    waiting: 'Waiting',
    acts: 'Acts',
    none: 'No kinds',
    nowhere: 'no address',
    WORKING: 'working',
    FAILING: 'failing',
    SWITCHED_OFF: 'switched off',
    gone: 'Your server answered 410 (gone)',
    first: ', the first',
    off: '; switched off',
    failures: (count: number) => `${count} ${count === 1 ? 'try' : 'tries'} failed in a row`,
  },
  fr: {
    title: 'Adresses de notification',
    hint: 'Où votre serveur apprend la fin des paiements : messages signés, répétés jusqu’à une réponse 2xx.',
    setAll: 'Définir l’adresse',
    kind: 'Sujet',
    url: 'Adresse',
    state: 'Santé',
    waiting: 'En attente',
    acts: 'Actions',
    none: 'Aucun sujet',
    nowhere: 'aucune adresse',
    WORKING: 'fonctionne',
    FAILING: 'échoue',
    SWITCHED_OFF: 'désactivée',
    gone: 'Votre serveur a répondu 410 (disparu)',
    first: ', le premier',
    off: ' ; désactivée',
    failures: (count: number) => `${count} ${count === 1 ? 'essai échoué' : 'essais échoués'} de suite`,
  },
});
