import { Button, Checkbox, Group, Modal, NativeSelect, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useNames } from '../../parts/names.tsx';
import { dayIn, useTimeZone, zoneName } from '../../parts/time-zone.ts';
import { useUsualPlace } from '../../parts/usual-place.ts';
import { isEmpty, readWalletCode, walletCode, walletLabel } from '../../parts/wallet-name.ts';

type Wallet = AnswerOf<'listWallets'>['wallets'][number];

export function NewStatementButton({ merchantId }: { readonly merchantId: string }) {
  const said = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  const usual = useUsualPlace();
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
          {(data) =>
            usual !== undefined && (
              <StatementForm
                merchantId={merchantId}
                wallets={data.wallets}
                currency={usual.currency}
                onClose={close}
              />
            )
          }
        </Loaded>
      </Modal>
    </>
  );
}

type StatementFormProps = {
  readonly merchantId: string;
  readonly wallets: readonly Wallet[];
  /** The usual one. */
  readonly currency: string | null;
  readonly onClose: () => void;
};

function StatementForm({ merchantId, wallets, currency, onClose }: StatementFormProps) {
  const said = useWords(WORDS);
  const names = useNames();
  const timeZone = useTimeZone();
  const zone = zoneName(timeZone);
  const today = dayIn(timeZone);
  // Those with a balance first, and of these the one in the usual currency.
  const rankOf = (one: Wallet) => Number(isEmpty(one)) * 2 + Number(one.currency !== currency);
  const sorted = wallets.toSorted((a, b) => rankOf(a) - rankOf(b));
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
          data={sorted.map((one) => ({ value: walletCode(one), label: walletLabel(one, names) }))}
          value={wallet}
          onChange={(event) => setWallet(event.currentTarget.value)}
        />
        <Group grow align="flex-start">
          <DayField label={said.from(zone)} value={from} onChange={setFrom} max={today} required />
          <DayField label={said.to(zone)} value={to} onChange={setTo} min={from} required />
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
            {said.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: {
    ask: 'New statement',
    create: 'Create',
    wallet: 'Wallet',
    from: (zone: string) => `From (${zone})`,
    to: (zone: string) => `To (${zone})`,
    compressed: 'Compressed (.csv.gz)',
    cancel: 'Cancel',
    asked: 'Creating the statement. It will be ready in a few seconds.',
  },
  fr: {
    ask: 'Nouveau relevé',
    create: 'Créer',
    wallet: 'Portefeuille',
    from: (zone: string) => `Du (${zone})`,
    to: (zone: string) => `Au (${zone})`,
    compressed: 'Compressé (.csv.gz)',
    cancel: 'Annuler',
    asked: 'Création du relevé en cours. Il sera prêt dans quelques secondes.',
  },
});
