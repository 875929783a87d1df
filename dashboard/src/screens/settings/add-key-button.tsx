import { Button, Code, Group, Modal, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { Icon } from '../../parts/icon.tsx';

export function AddKeyButton({ algorithms }: { readonly algorithms: readonly string[] }) {
  const said = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        leftSection={<Icon name="plus" sizePx={16} />}
        disabled={algorithms.length === 0}
        onClick={open}
      >
        {said.add}
      </Button>
      <Modal opened={isOpen} onClose={close} title={said.add} centered size="lg">
        <KeyForm algorithms={algorithms} onClose={close} />
      </Modal>
    </>
  );
}

type Algorithm = 'ecdsa-p256-sha256' | 'ecdsa-p384-sha384' | 'rsa-v1_5-sha256' | 'rsa-pss-sha512';

type KeyFormProps = { readonly algorithms: readonly string[]; readonly onClose: () => void };

function KeyForm({ algorithms, onClose }: KeyFormProps) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const [name, setName] = useState('');
  const [algorithm, setAlgorithm] = useState(algorithms[0] ?? '');
  const [pem, setPem] = useState('');
  const add = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/keys', {
          params: { path: { merchantId } },
          body: { name: name.trim(), algorithm: algorithm as Algorithm, pem: pem.trim() },
        }),
      ),
    done: ({ outcome }) => (outcome === 'REQUESTED' ? said.asked : said.added),
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(undefined);
  };
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
        <NativeSelect
          label={said.algorithm}
          data={[...algorithms]}
          value={algorithm}
          onChange={(event) => setAlgorithm(event.currentTarget.value)}
        />
        <Textarea
          label={said.pem}
          required
          minLength={50}
          rows={7}
          spellCheck={false}
          placeholder="-----BEGIN PUBLIC KEY-----"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={pem}
          onChange={(event) => setPem(event.currentTarget.value)}
        />
        <Stack gap={4}>
          <Text size="sm" c="dimmed">
            {said.how}
          </Text>
          <Code block>{COMMANDS[algorithm] ?? ''}</Code>
        </Stack>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {said.cancel}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {said.add}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const RSA = 'openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:3072 -out private.pem';
const PUBLIC = 'openssl pkey -in private.pem -pubout';

const COMMANDS: Readonly<Record<string, string>> = {
  'ecdsa-p256-sha256': `openssl ecparam -name prime256v1 -genkey -noout -out private.pem\n${PUBLIC}`,
  'ecdsa-p384-sha384': `openssl ecparam -name secp384r1 -genkey -noout -out private.pem\n${PUBLIC}`,
  'rsa-v1_5-sha256': `${RSA}\n${PUBLIC}`,
  'rsa-pss-sha512': `${RSA}\n${PUBLIC}`,
};

const WORDS = words({
  en: {
    add: 'Add a key',
    name: 'Key ID',
    nameHint: 'The name your server uses in its signatures (keyid).',
    algorithm: 'Algorithm',
    pem: 'Public key (PEM)',
    how: 'Create a new key pair with these commands. Paste only the output of the second one:',
    cancel: 'Cancel',
    added: 'Key added.',
    asked: 'Sent for approval. The key works once another person has approved it.',
  },
  fr: {
    add: 'Ajouter une clé',
    name: 'Identifiant',
    nameHint: 'Le nom que votre serveur utilise dans ses signatures (keyid).',
    algorithm: 'Algorithme',
    pem: 'Clé publique (PEM)',
    how: 'Créez une paire de clés avec ces commandes. Collez seulement le résultat de la seconde :',
    cancel: 'Annuler',
    added: 'Clé ajoutée.',
    asked: 'Envoyé pour approbation. La clé fonctionne dès qu’une autre personne l’a approuvée.',
  },
});
