import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { IS_SANDBOX } from '../../host.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { KIND_WORDS, KINDS, type Kind } from '../../parts/kind-words.ts';

type SetAddressButtonProps = {
  readonly label: string;
  /** Chosen at first. */
  readonly kinds: readonly Kind[];
  readonly url: string;
  readonly size?: 'xs';
};

/** Says where callbacks of some kinds go. */
export function SetAddressButton({ label, size, ...first }: SetAddressButtonProps) {
  const { title } = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button {...(size === undefined ? {} : { size, variant: 'default' })} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} centered>
        <AddressForm {...first} onClose={close} />
      </Modal>
    </>
  );
}

type AddressFormProps = Omit<SetAddressButtonProps, 'label' | 'size'> & { readonly onClose: () => void };

function AddressForm({ onClose, ...first }: AddressFormProps) {
  const said = useWords(WORDS);
  const names = useWords(KIND_WORDS);
  const { merchantId } = useMerchant();
  const [url, setUrl] = useState(first.url);
  const [kinds, setKinds] = useState<readonly Kind[]>(first.kinds);
  const set = useAct({
    act: () =>
      answer(
        api.PUT('/console/api/merchants/{merchantId}/callbacks', {
          params: { path: { merchantId } },
          body: { kinds: [...kinds], url: url.trim() },
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
        <TextInput
          label={said.url}
          description={IS_SANDBOX ? said.anyScheme : said.httpsOnly}
          type="url"
          required
          maxLength={2_000}
          data-autofocus
          placeholder="https://shop.example/callbacks"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Checkbox.Group
          label={said.kinds}
          value={[...kinds]}
          onChange={(chosen) => setKinds(KINDS.filter((kind) => chosen.includes(kind)))}
        >
          <Group mt="xs" gap="md">
            {KINDS.map((kind) => (
              <Checkbox key={kind} value={kind} label={names[kind]} />
            ))}
          </Group>
        </Checkbox.Group>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {said.cancel}
          </Button>
          <Button type="submit" loading={set.isPending} disabled={kinds.length === 0}>
            {said.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: {
    title: 'Set callback endpoint',
    url: 'URL',
    httpsOnly: 'Starts with https:// and can be reached from the internet.',
    anyScheme: 'In the sandbox, http:// works too.',
    kinds: 'Events',
    cancel: 'Cancel',
    save: 'Save',
    done: 'Endpoint saved. Test it now.',
  },
  fr: {
    title: 'Définir l’adresse de callback',
    url: 'URL',
    httpsOnly: 'Commence par https:// et est joignable depuis internet.',
    anyScheme: 'Dans le bac à sable, http:// convient aussi.',
    kinds: 'Événements',
    cancel: 'Annuler',
    save: 'Enregistrer',
    done: 'Adresse enregistrée. Testez-la maintenant.',
  },
});
