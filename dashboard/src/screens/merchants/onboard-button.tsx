import { Button, Group, Modal, Stack, Switch, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Invited } from '../../parts/invited.tsx';
import { OPERATIONS, type Operation } from '../../parts/kind-words.ts';
import { OperationChoice } from './operation-choice.tsx';

export function OnboardButton() {
  const said = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={<Icon name="plus" sizePx={16} />} onClick={open}>
        {said.onboard}
      </Button>
      {/* A click beside it must not lose a link that cannot be shown again. */}
      <Modal opened={isOpen} onClose={close} title={said.title} centered closeOnClickOutside={false}>
        <OnboardForm onClose={close} />
      </Modal>
    </>
  );
}

function OnboardForm({ onClose }: { readonly onClose: () => void }) {
  const said = useWords(WORDS);
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [operations, setOperations] = useState<readonly Operation[]>(OPERATIONS);
  const [walletPerProvider, setWalletPerProvider] = useState(false);
  const create = useAct({
    act: () =>
      answer(
        api.POST('/console/api/host/merchants', {
          body: {
            name: name.trim(),
            operations: [...operations],
            walletPerProvider,
            ownerEmail: email.trim(),
          },
        }),
      ),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  if (create.isSuccess) return <Invited email={email.trim()} link={create.data.link} onClose={onClose} />;
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={said.name}
          description={said.nameHint}
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={said.owner}
          description={said.ownerHint}
          type="email"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <OperationChoice label={said.operations} chosen={operations} onChange={setOperations} />
        <Switch
          label={said.wallets}
          description={said.walletsHint}
          checked={walletPerProvider}
          onChange={(event) => setWalletPerProvider(event.currentTarget.checked)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {said.cancel}
          </Button>
          <Button type="submit" loading={create.isPending} disabled={operations.length === 0}>
            {said.onboard}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: {
    onboard: 'Add merchant',
    title: 'Add merchant',
    name: 'Name',
    nameHint: 'Payers see this name.',
    owner: 'Owner’s e-mail address',
    ownerHint: 'The owner is invited and can invite others.',
    operations: 'Enabled products',
    wallets: 'One wallet per provider',
    walletsHint: 'Default: one per country and currency. This cannot be changed later.',
    cancel: 'Cancel',
  },
  fr: {
    onboard: 'Ajouter un marchand',
    title: 'Ajouter un marchand',
    name: 'Nom',
    nameHint: 'Les payeurs voient ce nom.',
    owner: 'Adresse e-mail du propriétaire',
    ownerHint: 'Le propriétaire est invité et peut inviter d’autres personnes.',
    operations: 'Produits activés',
    wallets: 'Un portefeuille par opérateur',
    walletsHint: 'Par défaut : un par pays et devise. Ce choix est définitif.',
    cancel: 'Annuler',
  },
});
