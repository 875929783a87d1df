import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { useCursor } from '../../parts/cursor.ts';
import { Page } from '../../parts/page.tsx';
import { AskButton } from './ask-button.tsx';
import { StatementTable } from './statement-table.tsx';

/** While one is being made. */
const LOOK_AGAIN_MS = 2_000;

export function StatementsScreen() {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const { cursor, pagingOf } = useCursor();
  const statements = useQuery({
    ...reading('/console/api/merchants/{merchantId}/statements', {
      params: { path: { merchantId }, query: cursor === undefined ? {} : { cursor } },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.rows.some(({ status, isReady }) => status !== 'FAILED' && !isReady) === true
        ? LOOK_AGAIN_MS
        : false,
  });
  return (
    <Page title={said.title} hint={said.hint} actions={<AskButton merchantId={merchantId} />}>
      <StatementTable
        merchantId={merchantId}
        rows={statements.data?.rows}
        error={statements.error}
        onRetry={() => void statements.refetch()}
        paging={pagingOf(statements.data?.next ?? null)}
      />
    </Page>
  );
}

const WORDS = words({
  en: {
    title: 'Statements',
    hint:
      'Files for your books: the balance before and after, and every movement in between with its fee. They name ' +
      'payers, so it is written down who fetches one.',
  },
  fr: {
    title: 'Relevés',
    hint:
      'Des fichiers pour vos comptes : le solde avant et après, et chaque mouvement avec ses frais. Ils nomment des ' +
      'payeurs ; chaque téléchargement est enregistré.',
  },
});
