import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import type { WalletName } from '../../parts/wallet-name.ts';

type AlertProps = { readonly wallet: WalletName; readonly below: string | null };

export function WalletAlertButton(props: AlertProps) {
  const said = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        {said.title}
      </Button>
      <Modal opened={isOpen} onClose={close} title={said.title} centered>
        <AlertForm {...props} onClose={close} />
      </Modal>
    </>
  );
}

function AlertForm({ wallet, below: set, onClose }: AlertProps & { readonly onClose: () => void }) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const [below, setBelow] = useState(set ?? '');
  const { country, currency, provider } = wallet;
  const save = useAct({
    act: (amount: string | null) =>
      answer(
        api.PUT('/console/api/merchants/{merchantId}/wallet-alerts', {
          params: { path: { merchantId } },
          body: { country, currency, provider, below: amount },
        }),
      ),
    done: said.saved,
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(below.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={said.below(currency)}
          description={said.hint}
          required
          inputMode="decimal"
          pattern="[0-9]+([.][0-9]{1,4})?"
          value={below}
          onChange={(event) => setBelow(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          {set !== null && (
            <Button variant="default" loading={save.isPending} onClick={() => save.mutate(null)}>
              {said.remove}
            </Button>
          )}
          <Button type="submit" loading={save.isPending}>
            {said.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: {
    title: 'Low balance alert',
    below: (currency: string) => `Alert below (${currency})`,
    hint: 'Owners and finance get an e-mail when less than this is available, at most once a day.',
    remove: 'Remove alert',
    save: 'Save',
    saved: 'Alert updated.',
  },
  fr: {
    title: 'Alerte de solde bas',
    below: (currency: string) => `Alerte sous (${currency})`,
    hint:
      'Les propriétaires et la finance reçoivent un e-mail quand le disponible passe dessous, au plus une fois par ' +
      'jour.',
    remove: 'Supprimer l’alerte',
    save: 'Enregistrer',
    saved: 'Alerte mise à jour.',
  },
});
