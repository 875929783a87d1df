import { Button, Checkbox, Group, Modal, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { IS_SANDBOX } from '../../host.ts';
import { useWords, words } from '../../language.tsx';
import { newIdentifier } from '../../parts/new-identifier.ts';
import { Icon } from '../../parts/icon.tsx';
import { MerchantSelect, type ChosenMerchant } from '../../parts/merchant-select.tsx';
import { useNames } from '../../parts/names.tsx';
import { readWalletCode, walletCode, walletLabel, type WalletName } from '../../parts/wallet-name.ts';
import { MONEY_TYPES, TYPE_HINTS, TYPE_WORDS, type MoneyType } from './order-words.ts';

export function RequestButton() {
  const said = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={<Icon name="plus" sizePx={16} />} onClick={open}>
        {said.request}
      </Button>
      <Modal opened={isOpen} onClose={close} title={said.title} centered>
        <RequestForm onClose={close} />
      </Modal>
    </>
  );
}

/** One, or one for each provider, in each country and currency. */
function useWallets(merchantId: string | null): readonly WalletName[] {
  const places = useQuery({
    ...reading('/console/api/host/merchants/{merchantId}/wallet-places', {
      params: { path: { merchantId: merchantId ?? '' } },
    }),
    enabled: merchantId !== null,
  });
  return (places.data?.rows ?? []).map(({ country, currency, walletProvider }) => ({
    country,
    currency,
    provider: walletProvider ?? '',
  }));
}

function RequestForm({ onClose }: { readonly onClose: () => void }) {
  const said = useWords(WORDS);
  const types = useWords(TYPE_WORDS);
  const hints = useWords(TYPE_HINTS);
  const names = useNames();
  const [type, setType] = useState<MoneyType>('TOP_UP');
  const [merchant, setMerchant] = useState<ChosenMerchant | null>(null);
  const [wallet, setWallet] = useState('');
  const [amount, setAmount] = useState('');
  const [reference, setReference] = useState('');
  const [reason, setReason] = useState('');
  const [bankHasPaid, setBankHasPaid] = useState(false);
  const [requestId] = useState(newIdentifier);
  const wallets = useWallets(merchant?.merchantId ?? null);
  const request = useAct({
    act: () => {
      const { country, currency, provider } = readWalletCode(wallet);
      const place = { country, currency, ...(provider === '' ? {} : { walletProvider: provider }) };
      const merchantId = merchant?.merchantId ?? '';
      const isNamed = type !== 'ADJUSTMENT' && reference.trim() !== '';
      const named = isNamed ? { reference: reference.trim() } : {};
      return answer(
        api.POST('/console/api/host/money-requests', {
          body: {
            merchantId,
            type,
            ...place,
            amount: amount.trim(),
            ...named,
            ...(type === 'SETTLEMENT' && bankHasPaid && { bankHasPaid }),
            reason: reason.trim(),
            requestId,
          },
        }),
      );
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
          description={hints[type]}
          data={MONEY_TYPES.map((value) => ({ value, label: types[value] }))}
          value={type}
          onChange={(event) => setType(event.currentTarget.value as MoneyType)}
        />
        <MerchantSelect isRequired chosen={merchant} onChange={setMerchant} />
        <NativeSelect
          label={said.wallet}
          required
          disabled={merchant === null}
          data={[
            { value: '', label: '' },
            ...wallets.map((one) => ({ value: walletCode(one), label: walletLabel(one, names) })),
          ]}
          value={wallet}
          onChange={(event) => setWallet(event.currentTarget.value)}
        />
        <TextInput
          label={said.amount}
          required
          inputMode="decimal"
          pattern={type === 'ADJUSTMENT' ? '-?[0-9]+([.][0-9]{1,4})?' : '[0-9]+([.][0-9]{1,4})?'}
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
        />
        {type !== 'ADJUSTMENT' && (
          <TextInput
            label={said.reference}
            description={said.referenceHint}
            required={!IS_SANDBOX}
            maxLength={100}
            value={reference}
            onChange={(event) => setReference(event.currentTarget.value)}
          />
        )}
        {type === 'SETTLEMENT' && (
          <Checkbox
            label={said.bankHasPaid}
            description={said.bankHasPaidHint}
            checked={bankHasPaid}
            onChange={(event) => setBankHasPaid(event.currentTarget.checked)}
          />
        )}
        <Textarea
          label={said.reason}
          required
          minLength={3}
          maxLength={1_000}
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {said.cancel}
          </Button>
          <Button type="submit" loading={request.isPending} disabled={merchant === null || wallet === ''}>
            {said.ask}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: {
    request: 'New transfer',
    title: 'New transfer',
    what: 'Type',
    wallet: 'Wallet',
    amount: 'Amount',
    reference: 'Bank reference',
    referenceHint: 'Each bank reference is posted only once.',
    bankHasPaid: 'The bank has already paid it',
    bankHasPaidHint: 'Needed only while the merchant is frozen, suspended or owes money.',
    reason: 'Reason',
    cancel: 'Cancel',
    ask: 'Send for approval',
    requested: 'Sent for approval.',
  },
  fr: {
    request: 'Nouveau transfert',
    title: 'Nouveau transfert',
    what: 'Type',
    wallet: 'Portefeuille',
    amount: 'Montant',
    reference: 'Référence bancaire',
    referenceHint: 'Chaque référence bancaire est comptabilisée une seule fois.',
    bankHasPaid: 'La banque l’a déjà payé',
    bankHasPaidHint: 'Nécessaire seulement si le marchand est gelé, suspendu ou endetté.',
    reason: 'Motif',
    cancel: 'Annuler',
    ask: 'Envoyer pour approbation',
    requested: 'Envoyé pour approbation.',
  },
});
