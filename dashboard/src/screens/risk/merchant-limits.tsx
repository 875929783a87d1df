import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { WaitingApprovals } from '../../parts/approval-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LimitButton } from '../../parts/limit-button.tsx';
import { LimitTable } from '../../parts/limit-table.tsx';
import { MerchantSelect, type ChosenMerchant } from '../../parts/merchant-select.tsx';

const WAITING_KINDS = ['LIMIT'] as const;

/** The limits of the merchant that is chosen. */
export function MerchantLimits() {
  const t = useWords(WORDS);
  const { may } = useHost();
  const [merchant, setMerchant] = useState<ChosenMerchant | null>(null);
  const merchantId = merchant?.merchantId ?? '';
  const limits = useQuery({
    ...reading('/console/api/merchants/{merchantId}/limits', { params: { path: { merchantId } } }),
    enabled: merchant !== null,
  });
  const owner = { merchantId, setBy: 'PLATFORM' } as const;
  return (
    <Stack gap="lg">
      <Group gap="sm" align="flex-end">
        <MerchantSelect isRequired chosen={merchant} onChange={setMerchant} />
        {may('risk:write') && merchant !== null && <LimitButton owner={owner} />}
      </Group>
      {merchant === null ? (
        <EmptyState icon="merchants" title={t.choose}>
          {t.chooseHint}
        </EmptyState>
      ) : (
        <LimitTable
          owner={owner}
          limits={limits.data?.limits}
          mayChange={may('risk:write')}
          error={limits.error}
          onRetry={() => void limits.refetch()}
          empty={
            <EmptyState icon="shield" title={t.none}>
              {t.noneHint}
            </EmptyState>
          }
        />
      )}
      <WaitingApprovals kinds={WAITING_KINDS} />
    </Stack>
  );
}

const WORDS = words({
  en: {
    choose: 'Select a merchant',
    chooseHint: 'Its limits are shown here: the platform’s, the default ones and its own.',
    none: 'No limits',
    noneHint:
      'This merchant can send and receive without limit. Set one to bound what a stolen API token can do.',
  },
  fr: {
    choose: 'Sélectionnez un marchand',
    chooseHint: 'Ses limites s’affichent ici : celles de la plateforme, par défaut et les siennes.',
    none: 'Aucune limite',
    noneHint:
      'Ce marchand peut envoyer et recevoir sans limite. Fixez-en une pour borner ce que permet un jeton d’API volé.',
  },
});
