import { Checkbox, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { useWords, words } from '../../language.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { dayIn, useTimeZone } from '../../parts/time-zone.ts';
import { toQuery, type Filters } from './filters.ts';
import { exportPayments, type ListOwner } from './payment-calls.ts';

type ExportButtonProps = {
  readonly owner: ListOwner;
  readonly filters: Filters;
  readonly mayReveal: boolean;
};

/** The last line of a file that holds not all payments that were found. */
const CUT = /^TRUNCATED_AFTER_(\d+)_ROWS\s*$/m;

/** The payments that are found, as a file for a spreadsheet. */
export function ExportButton({ owner, filters, mayReveal }: ExportButtonProps) {
  const said = useWords(WORDS);
  const timeZone = useTimeZone();
  const [isRevealed, setRevealed] = useState(false);
  const save = useAct({
    act: () => exportPayments(owner, { ...toQuery(filters, timeZone), isRevealed: mayReveal && isRevealed }),
    onDone: (text) => {
      const [, rows] = CUT.exec(text.slice(-60)) ?? [];
      if (rows !== undefined)
        notifications.show({ message: said.cut(rows), color: 'yellow', autoClose: false });
      saveFile({ name: `payments-${dayIn(timeZone)}.csv`, text });
    },
  });
  return (
    <ConfirmButton
      label={said.export}
      size="sm"
      isDangerous={false}
      isPending={save.isPending}
      onConfirm={() => save.mutateAsync()}
      question={
        <Stack>
          <Text size="sm">{said.hint}</Text>
          {mayReveal && (
            <Checkbox
              label={said.reveal}
              checked={isRevealed}
              onChange={(event) => setRevealed(event.currentTarget.checked)}
            />
          )}
        </Stack>
      }
    />
  );
}

const WORDS = words({
  en: {
    export: 'Export CSV',
    hint: 'Downloads all payments that match the filters (max. 50,000). This is recorded in the audit log.',
    reveal: 'Include phone numbers and other personal data',
    cut: (rows: string) =>
      `The file has ${rows} payments; more were found. Export a shorter period to get the others.`,
  },
  fr: {
    export: 'Exporter en CSV',
    hint:
      'Télécharge tous les paiements correspondant aux filtres (50 000 au plus). L’export est inscrit au journal ' +
      'd’audit.',
    reveal: 'Inclure les numéros et autres données personnelles',
    cut: (rows: string) =>
      `Le fichier contient ${rows} paiements ; il y en a d’autres. Exportez une période plus courte pour les obtenir.`,
  },
});
