import { Button, Checkbox, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { isEmpty, readWalletCode, walletCode, walletLabel } from '../../parts/wallet-name.ts';

type Wallet = AnswerOf<'listWallets'>['wallets'][number];

export function AskButton({ merchantId }: { readonly merchantId: string }) {
  const said = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  const wallets = useQuery({
    ...reading('/console/api/merchants/{merchantId}/wallets', { params: { path: { merchantId } } }),
    enabled: isOpen,
  });
  return (
    <>
      <Button leftSection={<Icon name="plus" sizePx={16} />} onClick={open}>
        {said.ask}
      </Button>
      <Modal opened={isOpen} onClose={close} title={said.ask} centered>
        <Loaded query={wallets} skeleton={null}>
          {(data) => <AskForm merchantId={merchantId} wallets={data.wallets} onClose={close} />}
        </Loaded>
      </Modal>
    </>
  );
}

type AskFormProps = {
  readonly merchantId: string;
  readonly wallets: readonly Wallet[];
  readonly onClose: () => void;
};

function AskForm({ merchantId, wallets, onClose }: AskFormProps) {
  const said = useWords(WORDS);
  const today = new Date().toISOString().slice(0, 10);
  // Those with something in them first: they are what people ask about.
  const sorted = wallets.toSorted((a, b) => Number(isEmpty(a)) - Number(isEmpty(b)));
  const [wallet, setWallet] = useState(sorted[0] === undefined ? '' : walletCode(sorted[0]));
  const [from, setFrom] = useState(`${today.slice(0, 8)}01`);
  const [to, setTo] = useState(today);
  const [isCompressed, setCompressed] = useState(false);
  const ask = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/statements', {
          params: { path: { merchantId } },
          body: { wallet: readWalletCode(wallet), from, to, isCompressed },
        }),
      ),
    done: said.asked,
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <NativeSelect
          label={said.wallet}
          data-autofocus
          data={sorted.map((one) => ({ value: walletCode(one), label: walletLabel(one) }))}
          value={wallet}
          onChange={(event) => setWallet(event.currentTarget.value)}
        />
        <Group grow align="flex-start">
          <DayField label={said.from} value={from} onChange={setFrom} max={today} />
          <DayField label={said.to} value={to} onChange={setTo} min={from} />
        </Group>
        <Checkbox
          label={said.compressed}
          checked={isCompressed}
          onChange={(event) => setCompressed(event.currentTarget.checked)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {said.cancel}
          </Button>
          <Button type="submit" loading={ask.isPending} disabled={wallet === ''}>
            {said.ask}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type DayFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (day: string) => void;
  readonly min?: string;
  readonly max?: string;
};

function DayField({ onChange, ...rest }: DayFieldProps) {
  return (
    <TextInput type="date" required onChange={(event) => onChange(event.currentTarget.value)} {...rest} />
  );
}

const WORDS = words({
  en: {
    ask: 'New statement',
    wallet: 'Wallet',
    from: 'First day (UTC)',
    to: 'Last day (UTC)',
    compressed: 'Compressed (.csv.gz)',
    cancel: 'Cancel',
    asked: 'The statement is being made.',
  },
  fr: {
    ask: 'Nouveau relevé',
    wallet: 'Portefeuille',
    from: 'Premier jour (UTC)',
    to: 'Dernier jour (UTC)',
    compressed: 'Comprimé (.csv.gz)',
    cancel: 'Annuler',
    asked: 'Le relevé est en préparation.',
  },
});
