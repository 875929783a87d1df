import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { Icon } from '../../parts/icon.tsx';
import { useCatalogue } from '../../parts/names.tsx';
import { useUsualPlace } from '../../parts/usual-place.ts';
import type { PaymentLink } from './payment-links-screen.tsx';
import { SharedLink } from './share-button.tsx';

export function NewLinkButton() {
  const said = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  const [created, setCreated] = useState<PaymentLink | null>(null);
  const begin = () => {
    setCreated(null);
    open();
  };
  return (
    <>
      <Button leftSection={<Icon name="plus" sizePx={16} />} onClick={begin}>
        {said.title}
      </Button>
      <Modal opened={isOpen} onClose={close} title={created === null ? said.title : said.created} centered>
        {created === null ? <LinkForm onCreated={setCreated} /> : <SharedLink link={created} />}
      </Modal>
    </>
  );
}

const DAYS = [1, 7, 30, 90] as const;

function LinkForm({ onCreated }: { readonly onCreated: (link: PaymentLink) => void }) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const usual = useUsualPlace();
  const { data: catalogue } = useCatalogue();
  const currencies = [...new Set(catalogue?.providers.flatMap((one) => one.currencies))].toSorted();
  const [description, setDescription] = useState('');
  const [amount, setAmount] = useState('');
  const [chosen, setCurrency] = useState('');
  const [days, setDays] = useState('30');
  const first = usual === undefined ? '' : (usual.currency ?? currencies[0] ?? '');
  const currency = chosen === '' ? first : chosen;
  const create = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/payment-links', {
          params: { path: { merchantId } },
          body: {
            amount: amount.trim(),
            currency,
            description: description.trim(),
            expiresAfterDays: days === '' ? null : Number(days),
          },
        }),
      ),
    onDone: onCreated,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={said.description}
          description={said.descriptionHint}
          data-autofocus
          required
          maxLength={100}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Group grow align="flex-start">
          <TextInput
            label={said.amount}
            required
            inputMode="decimal"
            pattern="[0-9]+([.][0-9]{1,4})?"
            value={amount}
            onChange={(event) => setAmount(event.currentTarget.value)}
          />
          <NativeSelect
            label={said.currency}
            data={usual === undefined ? [] : currencies}
            value={currency}
            onChange={(event) => setCurrency(event.currentTarget.value)}
          />
        </Group>
        <NativeSelect
          label={said.expires}
          data={[
            ...DAYS.map((count) => ({ value: String(count), label: said.days(count) })),
            { value: '', label: said.never },
          ]}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending} disabled={currency === ''}>
            {said.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: {
    title: 'New link',
    created: 'Your payment link',
    description: 'Description',
    descriptionHint: 'Everyone with the link sees it. Don’t name a person.',
    amount: 'Amount',
    currency: 'Currency',
    expires: 'Expires after',
    days: (count: number) => (count === 1 ? '1 day' : `${count} days`),
    never: 'Never',
    create: 'Create',
  },
  fr: {
    title: 'Nouveau lien',
    created: 'Votre lien de paiement',
    description: 'Description',
    descriptionHint: 'Toute personne qui a le lien la voit. N’y nommez personne.',
    amount: 'Montant',
    currency: 'Devise',
    expires: 'Expire après',
    days: (count: number) => (count === 1 ? '1 jour' : `${count} jours`),
    never: 'Jamais',
    create: 'Créer',
  },
});
