import { Button, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { useCursor } from '../../parts/cursor.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PAYMENT_KINDS, type PaymentKind } from '../../parts/kind-words.ts';
import { SmallCode } from '../../parts/names.tsx';
import { PaymentLink } from '../../parts/payment-link.tsx';
import { StateBadge, type Tone } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { addDays, startOfDay, useTimeZone } from '../../parts/time-zone.ts';
import { AttemptsButton, Outcome } from './attempts-button.tsx';
import { DELIVERY_WORDS, EVENT_KINDS, type EventKind } from './delivery-words.ts';
import { ResendButton } from './resend-button.tsx';

export type Delivery = AnswerOf<'listDeliveries'>['rows'][number];
type Status = Delivery['status'];

const STATUSES = ['FAILED', 'RETRYING', 'QUEUED', 'DELIVERED'] as const satisfies readonly Status[];

const TONES: Readonly<Record<Status, Tone>> = {
  FAILED: 'failure',
  RETRYING: 'trouble',
  QUEUED: 'info',
  DELIVERED: 'success',
};

type Filters = {
  readonly status: Status | '';
  readonly kind: EventKind | '';
  readonly from: string;
  readonly to: string;
};
const ALL: Filters = { status: '', kind: '', from: '', to: '' };

export function DeliveryList() {
  const t = useWords(DELIVERY_WORDS);
  const { merchantId } = useMerchant();
  const timeZone = useTimeZone();
  const [filters, setFilters] = useState(ALL);
  const { cursor, pagingOf, restart } = useCursor();
  const deliveries = useQuery({
    ...reading('/console/api/merchants/{merchantId}/callback-deliveries', {
      params: {
        path: { merchantId },
        query: { ...queryOf(filters, timeZone), ...(cursor !== undefined && { cursor }) },
      },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: cursor === undefined ? 15_000 : false,
  });
  const columns = useColumns();
  const isNarrowed = Object.values(filters).some((value) => value !== '');
  const hasMore = typeof deliveries.data?.next === 'string';
  return (
    <Stack gap="sm">
      <FilterBar
        filters={filters}
        onChange={(changed) => {
          restart();
          setFilters(changed);
        }}
      />
      <DataTable
        label={t.label}
        columns={columns}
        rows={deliveries.data?.rows}
        rowKey={({ callbackId }) => callbackId}
        error={deliveries.error}
        onRetry={() => void deliveries.refetch()}
        paging={pagingOf(deliveries.data?.next ?? null)}
        empty={
          <EmptyState
            icon="callbacks"
            title={hasMore ? t.noneHere : isNarrowed ? t.nothing : t.none}
            action={
              isNarrowed && (
                <Button variant="default" onClick={() => setFilters(ALL)}>
                  {t.clear}
                </Button>
              )
            }
          >
            {hasMore ? t.noneHereHint : isNarrowed ? t.nothingHint : t.noneHint}
          </EmptyState>
        }
      />
    </Stack>
  );
}

/** Days are those of the time zone; the last one is included. */
function queryOf({ status, kind, from, to }: Filters, timeZone: string) {
  return {
    ...(status !== '' && { status }),
    ...(kind !== '' && { kind }),
    ...(from !== '' && { from: startOfDay(from, timeZone).toISOString() }),
    ...(to !== '' && { to: startOfDay(addDays(to, 1), timeZone).toISOString() }),
  };
}

type FilterBarProps = { readonly filters: Filters; readonly onChange: (filters: Filters) => void };

function FilterBar({ filters, onChange }: FilterBarProps) {
  const t = useWords(DELIVERY_WORDS);
  const set = (name: keyof Filters) => ({
    value: filters[name],
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ ...filters, [name]: currentTarget.value }),
  });
  const all = { value: '', label: t.all };
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="xs" verticalSpacing="xs" role="search" maw={800}>
      <NativeSelect
        label={t.status}
        data={[all, ...STATUSES.map((value) => ({ value, label: t.statuses[value] }))]}
        {...set('status')}
      />
      <NativeSelect
        label={t.kind}
        data={[all, ...EVENT_KINDS.map((value) => ({ value, label: t.kinds[value] }))]}
        {...set('kind')}
      />
      <DayField label={t.from} value={filters.from} onChange={(from) => onChange({ ...filters, from })} />
      <DayField label={t.to} value={filters.to} onChange={(to) => onChange({ ...filters, to })} />
    </SimpleGrid>
  );
}

function useColumns(): readonly Column<Delivery>[] {
  const t = useWords(DELIVERY_WORDS);
  const { may } = useMerchant();
  const mayResend = may('callbacks:resend');
  return useMemo(
    (): readonly Column<Delivery>[] => [
      { id: 'event', header: t.event, isHeading: true, cell: (delivery) => <Event delivery={delivery} /> },
      {
        id: 'status',
        header: t.status,
        onPhone: 'end',
        cell: ({ status }) => (
          <StateBadge state={status} tone={TONES[status]}>
            {t.statuses[status]}
          </StateBadge>
        ),
      },
      {
        id: 'result',
        header: t.result,
        onPhone: 'plain',
        cell: ({ lastAttempt }) => (lastAttempt === null ? '–' : <Outcome attempt={lastAttempt} />),
      },
      { id: 'host', header: t.endpoint, onPhone: 'plain', cell: ({ host }) => <Host host={host} /> },
      {
        id: 'attempts',
        header: t.attempts,
        align: 'end',
        cell: (delivery) => <AttemptsButton delivery={delivery} />,
      },
      {
        id: 'created',
        header: t.created,
        onPhone: 'plain',
        cell: (delivery) => <Times delivery={delivery} />,
      },
      ...(mayResend
        ? [
            {
              id: 'acts',
              header: t.actions,
              isActions: true,
              cell: ({ kind, paymentId, status }: Delivery) =>
                isPayment(kind) && (status === 'FAILED' || status === 'DELIVERED') ? (
                  <ResendButton kind={kind} paymentId={paymentId} />
                ) : null,
            },
          ]
        : []),
    ],
    [t, mayResend],
  );
}

function isPayment(kind: EventKind): kind is PaymentKind {
  return PAYMENT_KINDS.some((one) => one === kind);
}

function Event({ delivery: { kind, paymentId, announcedState } }: { readonly delivery: Delivery }) {
  const t = useWords(DELIVERY_WORDS);
  const { merchantId } = useMerchant();
  const name = t.eventOf(t.kinds[kind], announcedState);
  return (
    <span className="name">
      {isPayment(kind) ? <PaymentLink payment={{ merchantId, kind, paymentId }}>{name}</PaymentLink> : name}
      <SmallCode>{paymentId.slice(0, 8)}</SmallCode>
    </span>
  );
}

function Host({ host }: { readonly host: string | null }) {
  return (
    <Text
      component="span"
      inherit
      display="inline-block"
      miw={{ base: 0, md: 120 }}
      style={{ overflowWrap: 'anywhere' }}
    >
      {host ?? '–'}
    </Text>
  );
}

function Times({ delivery: { createdAt, nextAttemptAt, status } }: { readonly delivery: Delivery }) {
  const t = useWords(DELIVERY_WORDS);
  return (
    <Stack gap={0}>
      <Time at={createdAt} isExact />
      {status === 'RETRYING' && nextAttemptAt !== null && (
        <Text component="span" size="xs" c="dimmed">
          {t.next} <Time at={nextAttemptAt} isToCome />
        </Text>
      )}
    </Stack>
  );
}
