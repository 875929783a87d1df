import { Button } from '@mantine/core';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { saveFile } from '../../parts/save-file.ts';
import type { Batch } from './batch-words.ts';

/** The outcome of every payout, as a file: with masked numbers, or in full for those who may ask. */
export function ResultButtons({ batch }: { readonly batch: Batch }) {
  const said = useWords(WORDS);
  const { merchantId, may } = useMerchant();
  const params = { path: { merchantId, batchId: batch.batchId } };
  const masked = useAct({
    act: () =>
      answer(api.GET('/console/api/merchants/{merchantId}/payout-batches/{batchId}/results', { params })),
    onDone: save,
  });
  const full = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/payout-batches/{batchId}/results/reveal', { params }),
      ),
    onDone: save,
  });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name="download" sizePx={14} />}
        loading={masked.isPending}
        onClick={() => masked.mutate(undefined)}
      >
        {said.download}
      </Button>
      {may('payments:reveal') && (
        <ConfirmButton
          label={said.full}
          isDangerous={false}
          question={said.question}
          isPending={full.isPending}
          onConfirm={() => full.mutateAsync(undefined)}
        />
      )}
    </>
  );
}

function save({ fileName: name, file: text }: { readonly fileName: string; readonly file: string }): void {
  saveFile({ name, text });
}

const WORDS = words({
  en: {
    download: 'Results (CSV)',
    full: 'With phone numbers',
    question: 'The file contains full phone numbers. The download is recorded in the audit log.',
  },
  fr: {
    download: 'Résultats (CSV)',
    full: 'Avec les numéros',
    question:
      'Le fichier contient les numéros complets. Le téléchargement est enregistré dans le journal d’audit.',
  },
});
