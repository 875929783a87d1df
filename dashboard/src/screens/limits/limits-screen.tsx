import { useQuery } from '@tanstack/react-query';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LimitButton } from '../../parts/limit-button.tsx';
import { LimitTable } from '../../parts/limit-table.tsx';
import { Page } from '../../parts/page.tsx';

export function LimitsScreen() {
  const t = useWords(WORDS);
  const { merchantId, may } = useMerchant();
  const limits = useQuery(
    reading('/console/api/merchants/{merchantId}/limits', { params: { path: { merchantId } } }),
  );
  const mayChange = may('settings:write');
  const owner = { merchantId, setBy: 'MERCHANT' } as const;
  const isEmpty = limits.data?.limits.length === 0;
  return (
    <Page title={t.title} hint={t.hint} actions={mayChange && !isEmpty && <LimitButton owner={owner} />}>
      <LimitTable
        owner={owner}
        limits={limits.data?.limits}
        mayChange={mayChange}
        error={limits.error}
        onRetry={() => void limits.refetch()}
        empty={
          <EmptyState
            icon="shield"
            title={t.none}
            {...(mayChange ? { action: <LimitButton owner={owner} /> } : {})}
          >
            {t.noneHint}
          </EmptyState>
        }
      />
    </Page>
  );
}

const WORDS = words({
  en: {
    title: 'Limits',
    hint: 'Payments beyond a limit are refused. The platform’s limits and your own both count.',
    none: 'No limits',
    noneHint: 'Set your own limit to bound what a stolen API token can do.',
  },
  fr: {
    title: 'Limites',
    hint: 'Les paiements au-delà d’une limite sont refusés. Celles de la plateforme et les vôtres comptent.',
    none: 'Aucune limite',
    noneHint: 'Fixez votre propre limite pour borner ce que permet un jeton d’API volé.',
  },
});
