import { useEffect, useRef, useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import type { BatchRow } from './batch-words.ts';
import type { Holder } from './holder.tsx';

/** Account holders of the payouts of a batch, by payout: asked for one after another, kept as long as the screen. */
export function useHolders(batchId: string) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const [holders, setHolders] = useState<ReadonlyMap<string, Holder>>(new Map());
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const check = useAct({
    act: async (rows: readonly BatchRow[]) => {
      for (const { row, payoutId } of rows) {
        if (!isOpen.current) return;
        const holder = await answer(
          api.POST('/console/api/merchants/{merchantId}/payout-batches/{batchId}/holder', {
            params: { path: { merchantId, batchId } },
            body: { row },
          }),
        );
        setHolders((before) => new Map([...before, [payoutId, holder]]));
      }
    },
    done: said.done,
  });
  return { holders, check };
}

const WORDS = words({
  en: { done: 'Account holders checked. Questions to operators are recorded in the audit log.' },
  fr: {
    done: 'Titulaires vérifiés. Les questions aux opérateurs sont enregistrées dans le journal d’audit.',
  },
});
