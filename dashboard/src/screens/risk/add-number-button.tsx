import { Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { notifyChanged } from '../../parts/cells-notice.ts';
import { ExpirySelect, expiryFields, type Expiry } from '../../parts/expiry-select.tsx';
import { ReasonButton } from '../../parts/reason-button.tsx';
import type { Whose } from './number-columns.tsx';

type AddNumberButtonProps = {
  readonly whose: Whose;
  /** The name of the merchant; null for every merchant. */
  readonly merchant: string | null;
};

export function AddNumberButton({ whose, merchant }: AddNumberButtonProps) {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  const [phoneNumber, setPhoneNumber] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('none');
  const { list } = whose;
  const add = useAct({
    act: (reason: string) =>
      answer(
        api.POST('/console/api/host/listed-numbers', {
          body: { ...whose, phoneNumber: phoneNumber.trim(), reason, ...expiryFields(expiry) },
        }),
      ) as Promise<AnswerOf<'addNumber'>>,
    onDone: ({ outcome, missingCells }) => {
      notifyChanged(outcome === 'DONE' ? t.done[list] : t.requested, missingCells, language);
      setPhoneNumber('');
    },
  });
  return (
    <ReasonButton
      label={t.add[list]}
      size="sm"
      variant="filled"
      isDangerous={list === 'BLOCKED'}
      isPending={add.isPending}
      isIncomplete={phoneNumber.trim().length < 8}
      onConfirm={(reason) => add.mutateAsync(reason)}
    >
      <Stack>
        <Text size="sm">{merchant === null ? t.everywhere : t.at(merchant)}</Text>
        <TextInput
          label={t.number}
          description={t.numberHint}
          inputMode="tel"
          required
          autoComplete="off"
          value={phoneNumber}
          onChange={(event) => setPhoneNumber(event.currentTarget.value)}
        />
        <ExpirySelect value={expiry} onChange={setExpiry} none={t.untilRemoved} />
      </Stack>
    </ReasonButton>
  );
}

const WORDS = words({
  en: {
    add: { BLOCKED: 'Block number', ALLOWED: 'Allow number' },
    everywhere: 'This holds for every merchant.',
    at: (merchant: string) => `This holds for ${merchant} only.`,
    number: 'Phone number',
    numberHint: 'With country code, e.g. 250783456789',
    untilRemoved: 'Never: until it is removed',
    done: {
      BLOCKED:
        'Blocked. New payments are refused within 10 seconds. Outgoing payments not yet sent are held.',
      ALLOWED: 'Allowed.',
    },
    requested: 'Sent for approval. It counts once another person approves.',
  },
  fr: {
    add: { BLOCKED: 'Bloquer un numéro', ALLOWED: 'Autoriser un numéro' },
    everywhere: 'Vaut pour tous les marchands.',
    at: (merchant: string) => `Vaut pour ${merchant} seulement.`,
    number: 'Numéro de téléphone',
    numberHint: 'Avec l’indicatif, par exemple 250783456789',
    untilRemoved: 'Jamais : jusqu’à ce qu’il soit retiré',
    done: {
      BLOCKED:
        'Bloqué. Les nouveaux paiements sont refusés dans les 10 secondes. Les paiements sortants non envoyés sont ' +
        'retenus.',
      ALLOWED: 'Autorisé.',
    },
    requested: 'Envoyé pour approbation. Cela vaut dès qu’une autre personne approuve.',
  },
});
