import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { useCursor } from '../../parts/cursor.ts';
import { Page } from '../../parts/page.tsx';
import { NewStatementButton } from './new-statement-button.tsx';
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
    <Page title={said.title} hint={said.hint} actions={<NewStatementButton merchantId={merchantId} />}>
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
      'Account statements (CSV): opening and closing balance, and every movement with its fee. They contain personal ' +
      'data; downloads are recorded.',
  },
  fr: {
    title: 'Relevés',
    hint:
      'Relevés de compte (CSV) : soldes d’ouverture et de clôture, et chaque mouvement avec ses frais. Ils ' +
      'contiennent des données personnelles ; les téléchargements sont enregistrés.',
  },
});
