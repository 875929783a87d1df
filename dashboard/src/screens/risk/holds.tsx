import { Alert, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { EVIDENCE_WORDS } from '../../parts/case-words.ts';
import { Copied } from '../../parts/copied.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { HOLD_WORDS } from '../../parts/hold-words.ts';
import { FREEZE_SCOPE_WORDS } from '../../parts/limit-words.ts';
import { MerchantSelect, type ChosenMerchant } from '../../parts/merchant-select.tsx';
import { Money } from '../../parts/money.tsx';
import { MOVEMENT_WORDS } from '../../parts/movement-words.ts';
import { PaymentLink } from '../../parts/payment-link.tsx';
import { REVIEW_REASON_WORDS } from '../../parts/review-words.ts';
import { Time } from '../../parts/time.tsx';

type Hold = AnswerOf<'listHolds'>['holds'][number];

/** Payments that wait, and money of wallets that must not leave yet. */
export function Holds() {
  const t = useWords(WORDS);
  const [merchant, setMerchant] = useState<ChosenMerchant | null>(null);
  const query = merchant === null ? {} : { merchantId: merchant.merchantId };
  const holds = useQuery({
    ...reading('/console/api/host/holds', { params: { query } }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  const missing = holds.data?.missingCells ?? [];
  return (
    <Stack gap="lg">
      <MerchantSelect chosen={merchant} onChange={setMerchant} />
      {missing.length > 0 && <Alert color="yellow" title={t.missing(missing.join(', '))} />}
      <DataTable
        label={t.label}
        columns={columns}
        rows={holds.data?.holds}
        rowKey={({ what, merchantId, kind, paymentId, since }) =>
          [what, merchantId, kind, paymentId, since].join(' ')
        }
        skeletonRows={5}
        error={holds.error}
        onRetry={() => void holds.refetch()}
        empty={
          <EmptyState icon="shield" title={t.none}>
            {t.noneHint}
          </EmptyState>
        }
      />
      {holds.data?.isMore === true && (
        <Text size="sm" c="dimmed">
          {t.more}
        </Text>
      )}
    </Stack>
  );
}

function useColumns(): readonly Column<Hold>[] {
  const t = useWords(WORDS);
  const kinds = useWords(MOVEMENT_WORDS);
  return useMemo(
    () => [
      {
        id: 'payment',
        header: t.payment,
        isHeading: true,
        cell: (hold) => (
          <Stack gap={2} align="flex-start">
            {hold.cell === null ? (
              <PaymentLink payment={hold} />
            ) : (
              t.inCell(kinds[hold.kind] ?? hold.kind, hold.cell)
            )}
            <Copied value={hold.paymentId} short={hold.paymentId.slice(0, 8)} />
            <Text component="span" size="xs" c="dimmed" fw={400}>
              {hold.merchant}
            </Text>
          </Stack>
        ),
      },
      { id: 'what', header: t.what, onPhone: 'plain', cell: (hold) => <What hold={hold} /> },
      {
        id: 'amount',
        header: t.amount,
        align: 'end',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      { id: 'since', header: t.since, cell: ({ since }) => <Time at={since} /> },
      {
        id: 'until',
        header: t.until,
        cell: ({ until }) => (until === null ? t.undecided : <Time at={until} />),
      },
    ],
    [t, kinds],
  );
}

/** What holds it, and below that the reasons. */
function What({ hold: { what, why } }: { readonly hold: Hold }) {
  const names = useWords(HOLD_WORDS);
  const reasons: Readonly<Record<string, string>> = {
    ...names,
    ...useWords(EVIDENCE_WORDS),
    ...useWords(REVIEW_REASON_WORDS),
    ...useWords(FREEZE_SCOPE_WORDS),
  };
  return (
    <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
      <span>{names[what] ?? what}</span>
      {why.map((one) => (
        <Text key={one} component="span" size="xs" c="dimmed" fw={400}>
          {reasons[one] ?? one}
        </Text>
      ))}
    </Stack>
  );
}

const WORDS = words({
  en: {
    label: 'Held payments and money',
    what: 'Held by',
    payment: 'Payment',
    inCell: (kind: string, cell: string) => `${kind} in cell ${cell}`,
    amount: 'Amount',
    since: 'Since',
    until: 'Ends',
    undecided: 'Decision pending',
    more: 'There are more. These are the 200 oldest.',
    none: 'Nothing is held',
    noneHint: 'Payments and money that a freeze, screening, a review or an open case holds are shown here.',
    missing: (cells: string) => `Cell ${cells} does not answer: what it holds is not shown`,
  },
  fr: {
    label: 'Paiements et fonds retenus',
    what: 'Retenu par',
    payment: 'Paiement',
    inCell: (kind: string, cell: string) => `${kind} dans la cellule ${cell}`,
    amount: 'Montant',
    since: 'Depuis',
    until: 'Jusqu’à',
    undecided: 'En attente de décision',
    more: 'Il y en a d’autres. Voici les 200 plus anciens.',
    none: 'Rien n’est retenu',
    noneHint:
      'Les paiements et les fonds retenus par un gel, le filtrage, un contrôle ou un dossier ouvert figurent ici.',
    missing: (cells: string) => `La cellule ${cells} ne répond pas : ce qu’elle retient n’est pas affiché`,
  },
});
