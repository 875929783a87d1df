import { Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { Icon } from '../../parts/icon.tsx';
import { Money } from '../../parts/money.tsx';
import { useNames } from '../../parts/names.tsx';
import { newIdentifier } from '../../parts/new-identifier.ts';
import { isEmpty, walletCode, walletLabel } from '../../parts/wallet-name.ts';
import { useWallets } from './wallets.ts';

export function RequestButton() {
  const t = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={<Icon name="plus" sizePx={16} />} onClick={open}>
        {t.title}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t.title} centered>
        <RequestForm onClose={close} />
      </Modal>
    </>
  );
}

function RequestForm({ onClose }: { readonly onClose: () => void }) {
  const t = useWords(WORDS);
  const names = useNames();
  const { merchantId } = useMerchant();
  const wallets = useWallets().filter((wallet) => !isEmpty(wallet));
  const [code, setCode] = useState<string | null>(null);
  const [amount, setAmount] = useState('');
  // Sent again after a lost answer, it is the same request.
  const [requestId] = useState(newIdentifier);
  const wallet = wallets.find((one) => walletCode(one) === code) ?? wallets[0];
  const request = useAct({
    act: () => {
      const { country = '', currency = '', provider = '' } = wallet ?? {};
      return answer(
        api.POST('/console/api/merchants/{merchantId}/settlements', {
          params: { path: { merchantId } },
          body: { requestId, country, currency, provider, amount: amount.trim() },
        }),
      );
    },
    done: t.requested,
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
          label={t.wallet}
          required
          data={wallets.map((one) => ({ value: walletCode(one), label: walletLabel(one, names) }))}
          value={wallet === undefined ? '' : walletCode(wallet)}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {wallet !== undefined && (
          <Text size="sm">
            {t.available} <Money amount={wallet.available} currency={wallet.currency} isStrong />
          </Text>
        )}
        <TextInput
          label={t.amount}
          required
          inputMode="decimal"
          pattern="[0-9]+([.][0-9]{1,4})?"
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={request.isPending} disabled={wallet === undefined}>
            {t.ask}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: {
    title: 'Request settlement',
    wallet: 'Wallet',
    available: 'Available:',
    amount: 'Amount',
    cancel: 'Cancel',
    ask: 'Request',
    requested: 'Settlement requested. The amount is reserved.',
  },
  fr: {
    title: 'Demander un règlement',
    wallet: 'Portefeuille',
    available: 'Disponible :',
    amount: 'Montant',
    cancel: 'Annuler',
    ask: 'Demander',
    requested: 'Règlement demandé. Le montant est réservé.',
  },
});
