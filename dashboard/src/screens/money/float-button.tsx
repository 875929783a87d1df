import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { MOVEMENT_WORDS } from '../../parts/movement-words.ts';
import { useCatalogue, useNames } from '../../parts/names.tsx';

const TYPES = ['FLOAT_TOP_UP', 'FLOAT_WITHDRAWAL', 'OPERATOR_CHARGE'] as const;
type FloatType = (typeof TYPES)[number];

/** Requests a posting at an operator. It is decided among the approvals. */
export function FloatButton() {
  const said = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        {said.request}
      </Button>
      <Modal opened={isOpen} onClose={close} title={said.title} centered>
        <FloatForm onClose={close} />
      </Modal>
    </>
  );
}

function FloatForm({ onClose }: { readonly onClose: () => void }) {
  const said = useWords(WORDS);
  const types = useWords(MOVEMENT_WORDS);
  const names = useNames();
  const [type, setType] = useState<FloatType>('FLOAT_TOP_UP');
  const [provider, setProvider] = useState('');
  const [currency, setCurrency] = useState('');
  const [amount, setAmount] = useState('');
  const [reference, setReference] = useState('');
  const providers = useCatalogue().data?.providers ?? [];
  const choose = (code: string) => {
    setProvider(code);
    setCurrency(providers.find((one) => one.provider === code)?.currencies[0] ?? '');
  };
  const request = useAct({
    act: () => {
      const texts = {
        currency: currency.trim().toUpperCase(),
        amount: amount.trim(),
        reference: reference.trim(),
      };
      return answer(api.POST('/console/api/host/float-movements', { body: { type, provider, ...texts } }));
    },
    done: said.requested,
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    request.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <NativeSelect
          label={said.what}
          description={said[`${type}_HINT`]}
          data={TYPES.map((value) => ({ value, label: types[value] ?? value }))}
          value={type}
          onChange={(event) => setType(event.currentTarget.value as FloatType)}
        />
        <NativeSelect
          label={said.provider}
          required
          data={[
            { value: '', label: '' },
            ...providers.map(({ provider: code }) => ({ value: code, label: names.provider(code) })),
          ]}
          value={provider}
          onChange={(event) => choose(event.currentTarget.value)}
        />
        <TextInput
          label={said.currency}
          required
          pattern="[A-Za-z]{3}"
          value={currency}
          onChange={(event) => setCurrency(event.currentTarget.value)}
        />
        <TextInput
          label={said.amount}
          required
          inputMode="decimal"
          pattern={type === 'OPERATOR_CHARGE' ? '-?[0-9]+([.][0-9]{1,4})?' : '[0-9]+([.][0-9]{1,4})?'}
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
        />
        <TextInput
          label={said.reference}
          description={said.referenceHint}
          required
          maxLength={100}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {said.cancel}
          </Button>
          <Button type="submit" loading={request.isPending} disabled={provider === ''}>
            {said.send}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: {
    request: 'New float transfer',
    title: 'New float transfer',
    what: 'Type',
    FLOAT_TOP_UP_HINT: 'Money was transferred from the bank to the operator.',
    FLOAT_WITHDRAWAL_HINT: 'Money was transferred from the operator to the bank.',
    OPERATOR_CHARGE_HINT: 'A fee that the operator took. Enter a refunded fee with a minus sign.',
    provider: 'Provider',
    currency: 'Currency',
    amount: 'Amount',
    reference: 'Operator transaction ID',
    referenceHint: 'Each transaction ID is posted only once.',
    cancel: 'Cancel',
    send: 'Send for approval',
    requested: 'Sent for approval.',
  },
  fr: {
    request: 'Nouveau transfert de fonds',
    title: 'Nouveau transfert de fonds',
    what: 'Type',
    FLOAT_TOP_UP_HINT: 'De l’argent a été viré de la banque à l’opérateur.',
    FLOAT_WITHDRAWAL_HINT: 'De l’argent a été viré de l’opérateur à la banque.',
    OPERATOR_CHARGE_HINT:
      'Des frais prélevés par l’opérateur. Saisissez des frais remboursés avec un signe moins.',
    provider: 'Opérateur',
    currency: 'Devise',
    amount: 'Montant',
    reference: 'Identifiant de transaction de l’opérateur',
    referenceHint: 'Chaque identifiant est comptabilisé une seule fois.',
    cancel: 'Annuler',
    send: 'Envoyer pour approbation',
    requested: 'Envoyé pour approbation.',
  },
});
