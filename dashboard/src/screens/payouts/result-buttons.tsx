import { Button } from '@mantine/core';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { Batch } from './batch-words.ts';

/** What became of every payout, as a file: with masked numbers, or in full for those who may ask. */
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

function save({ fileName, file }: { readonly fileName: string; readonly file: string }): void {
  const address = URL.createObjectURL(new Blob([file], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}

const WORDS = words({
  en: {
    download: 'Results (CSV)',
    full: 'With phone numbers',
    question: 'The file holds phone numbers in full. That you asked for it is written down.',
  },
  fr: {
    download: 'Résultats (CSV)',
    full: 'Avec les numéros',
    question: 'Le fichier contient les numéros complets. Votre demande est enregistrée.',
  },
});
