import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { ReasonButton } from '../../parts/reason-button.tsx';

/** Asks to void a file: what it said counts for nothing any more. */
export function VoidFileButton({ fileId, name }: { readonly fileId: string; readonly name: string }) {
  const t = useWords(WORDS);
  const { may } = useHost();
  const voiding = useAct({
    act: (reason: string) =>
      answer(
        api.POST('/console/api/host/report-files/{fileId}/void', {
          params: { path: { fileId } },
          body: { reason },
        }),
      ),
    done: t.requested,
  });
  if (!may('money:move')) return null;
  return (
    <ReasonButton
      label={t.label}
      isPending={voiding.isPending}
      isDangerous
      onConfirm={(reason) => voiding.mutateAsync(reason)}
    >
      {t.question(name)}
    </ReasonButton>
  );
}

const WORDS = words({
  en: {
    label: 'Void this file',
    question: (name: string) =>
      `Another person must approve. Then the lines of ${name} count for nothing any more; what a signed day counted ` +
      'is taken back in the next day. Upload the corrected file afterwards.',
    requested: 'Requested. Another person must approve.',
  },
  fr: {
    label: 'Annuler ce fichier',
    question: (name: string) =>
      `Une autre personne doit approuver. Les lignes de ${name} ne comptent alors plus ; ce qu’une journée signée a ` +
      'compté est repris dans la suivante. Importez ensuite le fichier corrigé.',
    requested: 'Demandé. Une autre personne doit approuver.',
  },
});
