import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatBasisPoints } from '../../parts/figures.ts';
import { KIND_WORDS } from '../../parts/kind-words.ts';
import { MerchantSelect, type ChosenMerchant } from '../../parts/merchant-select.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { ProviderName } from '../../parts/names.tsx';
import { FeeButton } from './fee-button.tsx';

export type Fee = AnswerOf<'listFees'>['rows'][number];
export type Offer = AnswerOf<'listFees'>['offers'][number];

export function FeesScreen() {
  const said = useWords(WORDS);
  const { may } = useHost();
  const [merchant, setMerchant] = useState<ChosenMerchant | null>(null);
  const merchantId = merchant?.merchantId ?? '';
  const fees = useQuery({
    ...reading('/console/api/host/merchants/{merchantId}/fees', { params: { path: { merchantId } } }),
    enabled: merchant !== null,
  });
  const isReady = merchant !== null && fees.data !== undefined;
  return (
    <Page
      title={said.title}
      hint={said.hint}
      actions={
        may('fees:write') && isReady && <FeeButton merchantId={merchantId} offers={fees.data.offers} />
      }
    >
      <MerchantSelect isRequired chosen={merchant} onChange={setMerchant} />
      {merchant === null ? (
        <EmptyState icon="fees" title={said.choose}>
          {said.chooseHint}
        </EmptyState>
      ) : (
        <FeeTable
          merchantId={merchantId}
          fees={fees.data?.rows}
          error={fees.error}
          onRetry={() => void fees.refetch()}
        />
      )}
    </Page>
  );
}

type FeeTableProps = {
  readonly merchantId: string;
  readonly fees: readonly Fee[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
};

function FeeTable({ merchantId, fees, error, onRetry }: FeeTableProps) {
  const said = useWords(WORDS);
  const { may } = useHost();
  const columns = useColumns(merchantId, may('fees:write'));
  return (
    <DataTable
      label={said.title}
      columns={columns}
      rows={fees}
      rowKey={({ provider, operation, currency }) => [provider, operation, currency].join()}
      error={error}
      onRetry={onRetry}
      empty={
        <EmptyState icon="fees" title={said.none}>
          {said.noneHint}
        </EmptyState>
      }
    />
  );
}

function useColumns(merchantId: string, mayWrite: boolean): readonly Column<Fee>[] {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const { language } = useLanguage();
  return useMemo(
    () => [
      {
        id: 'provider',
        header: said.provider,
        isHeading: true,
        sortBy: ({ provider }) => provider,
        cell: ({ provider }) => <ProviderName code={provider} />,
      },
      {
        id: 'operation',
        header: said.operation,
        sortBy: ({ operation }) => operation,
        cell: ({ operation }) => kinds[operation],
      },
      {
        id: 'share',
        header: said.share,
        align: 'end',
        cell: ({ basisPoints }) => (
          <span className="figures">{formatBasisPoints(basisPoints, language)}</span>
        ),
      },
      {
        id: 'fixed',
        header: said.fixed,
        align: 'end',
        cell: ({ fixed, currency }) => <Money amount={fixed} currency={currency} />,
      },
      ...(mayWrite
        ? [
            {
              id: 'acts',
              header: said.acts,
              isActions: true,
              cell: (fee: Fee) => <FeeButton merchantId={merchantId} offers={[fee]} fee={fee} />,
            },
          ]
        : []),
    ],
    [said, kinds, language, merchantId, mayWrite],
  );
}

const WORDS = words({
  en: {
    title: 'Fees',
    hint: 'What each merchant pays. A change applies to new payments only.',
    choose: 'Select a merchant',
    chooseHint: 'Its fees are shown here.',
    provider: 'Provider',
    operation: 'Payments',
    share: 'Percentage',
    fixed: 'Fixed fee',
    acts: 'Actions',
    none: 'No fees set',
    noneHint: 'Payments are free until a fee is set for their provider and currency.',
  },
  fr: {
    title: 'Frais',
    hint: 'Ce que paie chaque marchand. Un changement s’applique aux nouveaux paiements seulement.',
    choose: 'Sélectionnez un marchand',
    chooseHint: 'Ses frais s’affichent ici.',
    provider: 'Opérateur',
    operation: 'Paiements',
    share: 'Pourcentage',
    fixed: 'Frais fixes',
    acts: 'Actions',
    none: 'Aucuns frais',
    noneHint:
      'Les paiements sont gratuits tant qu’aucuns frais ne sont fixés pour leur opérateur et leur devise.',
  },
});
