import { Button, Group, Modal, Radio, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { FieldList } from '../../parts/field-list.tsx';
import { KIND_WORDS, type PaymentKind } from '../../parts/kind-words.ts';
import { useNames } from '../../parts/names.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { STATUS_WORDS, STATUSES, type OperationState, type Provider, type Status } from './status-words.ts';

/** One kind of payment of one provider. */
export type Place = { readonly provider: string; readonly kind: PaymentKind };

type OperationButtonProps = {
  readonly provider: Provider;
  readonly kind: PaymentKind;
  readonly onOpen: (place: Place) => void;
};

/** How one kind of payment does with a provider. */
export function OperationButton({ provider, kind, onOpen }: OperationButtonProps) {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const names = useNames();
  const state = stateOf(provider, kind);
  if (state === null) {
    return (
      <Text component="span" inherit c="dimmed" title={said.notCarried}>
        —
      </Text>
    );
  }
  return (
    <UnstyledButton ta="inherit" onClick={() => onOpen({ provider: provider.provider, kind })}>
      <VisuallyHidden>{`${kinds[kind]}, ${names.provider(provider.provider)}`}: </VisuallyHidden>
      <Summary state={state} />
    </UnstyledButton>
  );
}

/** Null where no connector offers it here. */
function stateOf(provider: Provider, kind: PaymentKind): OperationState | null {
  const state = provider.operations.find(({ operation }) => operation === kind);
  return state === undefined || state.connector === null ? null : state;
}

type OperationDialogProps = {
  readonly providers: readonly Provider[];
  /** Null while it is closed. */
  readonly place: Place | null;
  readonly onClose: () => void;
};

/** What is known about one kind of payment of a provider, and the switch. One for all, however many there are. */
export function OperationDialog({ providers, place, onClose }: OperationDialogProps) {
  const kinds = useWords(KIND_WORDS);
  const names = useNames();
  const provider = providers.find((one) => one.provider === place?.provider);
  const state = provider === undefined || place === null ? null : stateOf(provider, place.kind);
  if (provider === undefined || place === null || state === null) return null;
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${kinds[place.kind]}, ${names.provider(place.provider)}`}
      centered
    >
      <Details provider={provider} state={state} onClose={onClose} />
    </Modal>
  );
}

function Summary({ state }: { readonly state: OperationState }) {
  const said = useWords(WORDS);
  const statuses = useWords(STATUS_WORDS);
  return (
    <Group component="span" gap="0 6px">
      <StateBadge state={state.status}>{statuses[state.status]}</StateBadge>
      {state.calls > 0 && (
        <Text
          component="span"
          size="xs"
          c={state.failures > 0 ? 'var(--tone-failure)' : 'dimmed'}
          className="figures"
        >
          {said.share(answeredPercent(state), state.calls)}
        </Text>
      )}
    </Group>
  );
}

/** Rounded down, so that 100 % is said of nothing less. */
function answeredPercent({ calls, failures }: OperationState): number {
  return Math.floor(((calls - failures) / calls) * 100);
}

type DetailsProps = {
  readonly provider: Provider;
  readonly state: OperationState;
  readonly onClose: () => void;
};

function Details({ provider, state, onClose }: DetailsProps) {
  const said = useWords(WORDS);
  const statuses = useWords(STATUS_WORDS);
  const { may } = useHost();
  return (
    <Stack>
      <FieldList
        fields={[
          {
            label: said.status,
            value: <StateBadge state={state.status}>{statuses[state.status]}</StateBadge>,
          },
          { label: said.setBy, value: state.setBy === null ? null : said[state.setBy] },
          { label: said.since, value: state.since === null ? null : <Time at={state.since} isExact /> },
          { label: said.connector, value: state.connector },
          {
            label: said.calls,
            value: state.calls === 0 ? said.quiet : said.counts(state.calls, state.failures),
          },
        ]}
      />
      {may('providers:write') && <Setting provider={provider} state={state} onClose={onClose} />}
    </Stack>
  );
}

function Setting({ provider: { provider }, state, onClose }: DetailsProps) {
  const said = useWords(WORDS);
  const statuses = useWords(STATUS_WORDS);
  const { operation } = state;
  const [status, setStatus] = useState<Status>(state.status);
  const set = useAct({
    act: () =>
      answer(
        api.PUT('/console/api/host/providers/{provider}/{operation}/availability', {
          params: { path: { provider, operation } },
          body: { status },
        }),
      ),
    done: said.done,
    onDone: onClose,
  });
  return (
    <Stack gap="sm">
      <Radio.Group label={said.setManually} value={status} onChange={setStatus}>
        <Stack gap="xs" mt="xs">
          {STATUSES.map((one) => (
            <Radio key={one} value={one} label={statuses[one]} description={said.means[one]} />
          ))}
        </Stack>
      </Radio.Group>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {said.cancel}
        </Button>
        <Button
          {...(status === 'CLOSED' ? { color: 'red' } : {})}
          disabled={status === state.status}
          loading={set.isPending}
          onClick={() => set.mutate(undefined)}
        >
          {said.set}
        </Button>
      </Group>
    </Stack>
  );
}

const WORDS = words({
  en: {
    notCarried: 'No connector offers it here',
    quiet: 'No traffic',
    share: (percent: number, calls: number) =>
      `${percent}% success (${calls} ${calls === 1 ? 'call' : 'calls'})`,
    status: 'Status',
    setBy: 'Set',
    HAND: 'Manually',
    MEASURED: 'Automatically',
    since: 'Since',
    connector: 'Connector',
    calls: 'Last 5 minutes',
    counts: (calls: number, failures: number) =>
      `${calls} ${calls === 1 ? 'call' : 'calls'}, ${failures} failed`,
    setManually: 'Set status',
    means: {
      OPERATIONAL: 'Automatic',
      DELAYED: 'Collections off, payouts queued',
      CLOSED: 'All off',
    } satisfies Record<Status, string>,
    set: 'Set',
    cancel: 'Cancel',
    done: 'Provider status updated.',
  },
  fr: {
    notCarried: 'Aucun connecteur ne l’offre ici',
    quiet: 'Aucun trafic',
    share: (percent: number, calls: number) =>
      `${percent} % de réussite (${calls} ${calls < 2 ? 'appel' : 'appels'})`,
    status: 'Statut',
    setBy: 'Réglé',
    HAND: 'Manuellement',
    MEASURED: 'Automatiquement',
    since: 'Depuis',
    connector: 'Connecteur',
    calls: '5 dernières minutes',
    counts: (calls: number, failures: number) =>
      `${calls} ${calls < 2 ? 'appel' : 'appels'}, ${failures} en échec`,
    setManually: 'Régler le statut',
    means: {
      OPERATIONAL: 'Automatique',
      DELAYED: 'Encaissements arrêtés, versements mis en file',
      CLOSED: 'Tout est arrêté',
    },
    set: 'Régler',
    cancel: 'Annuler',
    done: 'Statut de l’opérateur mis à jour.',
  },
});
