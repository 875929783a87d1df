import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { useWallets } from './wallets.ts';

export function BankAccountButton() {
  const t = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        {t.title}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t.title} centered>
        <AccountForm onClose={close} />
      </Modal>
    </>
  );
}

function AccountForm({ onClose }: { readonly onClose: () => void }) {
  const t = useWords(WORDS);
  const { merchantId } = useMerchant();
  const currencies = [...new Set(useWallets().map((wallet) => wallet.currency))].toSorted();
  const [chosen, setChosen] = useState<string | null>(null);
  const currency = chosen ?? currencies[0] ?? '';
  const [bank, setBank] = useState('');
  const [holder, setHolder] = useState('');
  const [number, setNumber] = useState('');
  const register = useAct({
    act: () =>
      answer(
        api.PUT('/console/api/merchants/{merchantId}/bank-accounts/{currency}', {
          params: { path: { merchantId, currency } },
          body: { bank: bank.trim(), holder: holder.trim(), number: number.trim() },
        }),
      ),
    done: t.requested,
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    register.mutate(undefined);
  };
  const names = [
    { label: t.bank, value: bank, set: setBank, hint: undefined },
    { label: t.holder, value: holder, set: setHolder, hint: undefined },
    { label: t.number, value: number, set: setNumber, hint: t.numberHint },
  ];
  return (
    <form onSubmit={submit}>
      <Stack>
        <NativeSelect
          label={t.currency}
          required
          data={currencies}
          value={currency}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        {names.map(({ label, value, set, hint }) => (
          <TextInput
            key={label}
            label={label}
            {...(hint === undefined ? {} : { description: hint, minLength: 5, maxLength: 64 })}
            required
            autoComplete="off"
            value={value}
            onChange={(event) => set(event.currentTarget.value)}
          />
        ))}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={register.isPending} disabled={currency === ''}>
            {t.ask}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: {
    title: 'Register bank account',
    currency: 'Currency',
    bank: 'Bank',
    holder: 'Account holder',
    number: 'Account number',
    numberHint: 'The IBAN, or the number that your bank uses.',
    cancel: 'Cancel',
    ask: 'Send for approval',
    requested: 'Sent for approval.',
  },
  fr: {
    title: 'Enregistrer un compte bancaire',
    currency: 'Devise',
    bank: 'Banque',
    holder: 'Titulaire du compte',
    number: 'Numéro de compte',
    numberHint: 'L’IBAN, ou le numéro que votre banque utilise.',
    cancel: 'Annuler',
    ask: 'Envoyer pour approbation',
    requested: 'Envoyé pour approbation.',
  },
});
