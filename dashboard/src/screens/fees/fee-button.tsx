import { Button, Group, Modal, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
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

const nameOf = ({ provider, operation, currency }: Offer) => [provider, operation, currency].join(' ');

function FeeForm({ merchantId, offers, fee, onClose }: FeeButtonProps & { readonly onClose: () => void }) {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const [name, setName] = useState(offers[0] === undefined ? '' : nameOf(offers[0]));
  const [basisPoints, setBasisPoints] = useState(fee?.basisPoints ?? 0);
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
            basisPoints,
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
            label: `${one.provider} · ${kinds[one.operation]} · ${one.currency}`,
          }))}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NumberInput
          label={said.share}
          description={said.shareHint}
          min={0}
          max={10_000}
          allowDecimal={false}
          value={basisPoints}
          onChange={(value) => setBasisPoints(Number(value) || 0)}
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
    set: 'Set a fee',
    change: 'Change',
    title: 'What an operation costs',
    what: 'Provider, operation, currency',
    share: 'Share, in basis points',
    shareHint: 'Hundredths of a per cent: 150 are 1.5 %.',
    fixed: (currency: string) => `Fixed part, in ${currency}`,
    cancel: 'Cancel',
    save: 'Save',
    done: 'The fee counts from now on.',
  },
  fr: {
    set: 'Fixer des frais',
    change: 'Modifier',
    title: 'Ce que coûte une opération',
    what: 'Opérateur, opération, monnaie',
    share: 'Part, en points de base',
    shareHint: 'Centièmes de pour cent : 150 font 1,5 %.',
    fixed: (currency: string) => `Partie fixe, en ${currency}`,
    cancel: 'Annuler',
    save: 'Enregistrer',
    done: 'Ces frais comptent désormais.',
  },
});
