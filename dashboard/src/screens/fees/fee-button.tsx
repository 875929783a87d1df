import { Button, Group, Modal, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { useNames } from '../../parts/names.tsx';
import { KIND_WORDS } from '../../parts/kind-words.ts';
import type { Fee, Offer } from './fees-screen.tsx';

type FeeButtonProps = {
  readonly merchantId: string;
  readonly offers: readonly Offer[];
  /** The fee that is changed; left out for a new one. */
  readonly fee?: Fee;
};

export function FeeButton(props: FeeButtonProps) {
  const said = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  const isNew = props.fee === undefined;
  return (
    <>
      <Button variant={isNew ? 'filled' : 'default'} size={isNew ? 'sm' : 'xs'} onClick={open}>
        {isNew ? said.set : said.change}
      </Button>
      <Modal opened={isOpen} onClose={close} title={said.title} centered>
        <FeeForm {...props} onClose={close} />
      </Modal>
    </>
  );
}

/** Basis points in a per cent. */
const HUNDREDTHS = 100;

const nameOf = ({ provider, operation, currency }: Offer) => [provider, operation, currency].join(' ');

function FeeForm({ merchantId, offers, fee, onClose }: FeeButtonProps & { readonly onClose: () => void }) {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const { language } = useLanguage();
  const names = useNames();
  const [name, setName] = useState(offers[0] === undefined ? '' : nameOf(offers[0]));
  const [percent, setPercent] = useState((fee?.basisPoints ?? 0) / HUNDREDTHS);
  const [fixed, setFixed] = useState(fee?.fixed ?? '0');
  const offer = offers.find((one) => nameOf(one) === name);
  const set = useAct({
    act: () =>
      answer(
        api.PUT('/console/api/host/merchants/{merchantId}/fees', {
          params: { path: { merchantId } },
          body: {
            provider: offer?.provider ?? '',
            operation: offer?.operation ?? 'DEPOSIT',
            currency: offer?.currency ?? '',
            basisPoints: Math.round(percent * HUNDREDTHS),
            fixed: fixed.trim(),
          },
        }),
      ),
    done: said.done,
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <NativeSelect
          label={said.what}
          data={offers.map((one) => ({
            value: nameOf(one),
            label: `${names.provider(one.provider)} · ${kinds[one.operation]} · ${one.currency}`,
          }))}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NumberInput
          label={said.percentage}
          min={0}
          max={100}
          decimalScale={2}
          decimalSeparator={language === 'fr' ? ',' : '.'}
          allowedDecimalSeparators={['.', ',']}
          suffix={language === 'fr' ? ' %' : '%'}
          value={percent}
          onChange={(value) => setPercent(Number(value) || 0)}
        />
        <TextInput
          label={said.fixed(offer?.currency ?? '')}
          required
          inputMode="decimal"
          pattern="[0-9]+([.][0-9]{1,4})?"
          value={fixed}
          onChange={(event) => setFixed(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {said.cancel}
          </Button>
          <Button type="submit" loading={set.isPending} disabled={offer === undefined}>
            {said.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: {
    set: 'Set fee',
    change: 'Change',
    title: 'Set fee',
    what: 'Provider, payments, currency',
    percentage: 'Percentage',
    fixed: (currency: string) => `Fixed fee (${currency})`,
    cancel: 'Cancel',
    save: 'Save',
    done: 'Fee updated. It applies to new payments.',
  },
  fr: {
    set: 'Fixer des frais',
    change: 'Modifier',
    title: 'Fixer des frais',
    what: 'Opérateur, paiements, devise',
    percentage: 'Pourcentage',
    fixed: (currency: string) => `Frais fixes (${currency})`,
    cancel: 'Annuler',
    save: 'Enregistrer',
    done: 'Frais mis à jour. Ils s’appliquent aux nouveaux paiements.',
  },
});
