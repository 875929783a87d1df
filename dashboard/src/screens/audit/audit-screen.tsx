import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { AuditTable } from '../../parts/audit-table.tsx';
import { useCursor } from '../../parts/cursor.ts';
import { Page } from '../../parts/page.tsx';

export function MerchantAuditScreen() {
  const { merchantId, name } = useMerchant();
  const said = useWords(WORDS);
  const { cursor, pagingOf } = useCursor();
  const log = useQuery({
    ...reading('/console/api/merchants/{merchantId}/audit', {
      params: { path: { merchantId }, query: cursor === undefined ? {} : { cursor } },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={said.title} hint={said.hint(name)}>
      <AuditTable
        entries={log.data?.rows}
        paging={pagingOf(log.data?.next ?? null)}
        error={log.error}
        onRetry={() => void log.refetch()}
        about={merchantId}
      />
    </Page>
  );
}

const WORDS = words({
  en: {
    title: 'Audit log',
    hint: (name: string) => `Every manual action for ${name}. Entries can’t be edited or deleted.`,
  },
  fr: {
    title: 'Journal d’audit',
    hint: (name: string) =>
      `Toutes les actions manuelles pour ${name}. Les entrées ne peuvent être ni modifiées ni supprimées.`,
  },
});
