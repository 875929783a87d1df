import {
  Alert,
  Button,
  Checkbox,
  Group,
  Modal,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { AskedNotice } from '../../parts/asked-notice.tsx';
import { Copied } from '../../parts/copied.tsx';
import { Icon } from '../../parts/icon.tsx';

/** Creates an API token. Its text is shown once. */
export function CreateTokenButton({ scopes }: { readonly scopes: readonly string[] }) {
  const said = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={<Icon name="plus" sizePx={16} />} disabled={scopes.length === 0} onClick={open}>
        {said.make}
      </Button>
      {/* A click beside it must not lose a text that cannot be shown again. */}
      <Modal opened={isOpen} onClose={close} title={said.make} centered closeOnClickOutside={false}>
        <TokenForm scopes={scopes} onClose={close} />
      </Modal>
    </>
  );
}

const DAY_MS = 86_400_000;
const LASTS_DAYS = ['30', '90', '365'] as const;
const NEVER = '';

type TokenFormProps = { readonly scopes: readonly string[]; readonly onClose: () => void };

function TokenForm({ scopes, onClose }: TokenFormProps) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [days, setDays] = useState<string>('365');
  const create = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/tokens', {
          params: { path: { merchantId } },
          body: { name: name.trim(), scopes: [...chosen], expiresAt: endOf(days) },
        }),
      ),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  if (create.isSuccess) return <Made {...create.data} onClose={onClose} />;
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
        <ScopeChoice scopes={scopes} chosen={chosen} onChange={setChosen} />
        <NativeSelect
          label={said.lasts}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
          data={[
            ...LASTS_DAYS.map((value) => ({ value, label: said.days(value) })),
            { value: NEVER, label: said.never },
          ]}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {said.cancel}
          </Button>
          <Button type="submit" loading={create.isPending} disabled={chosen.length === 0}>
            {said.make}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function endOf(days: string): string | null {
  return days === NEVER ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
}

type ScopeChoiceProps = {
  readonly scopes: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
};

function ScopeChoice({ scopes, chosen, onChange }: ScopeChoiceProps) {
  const said = useWords(WORDS);
  const isAll = chosen.length === scopes.length;
  return (
    <Checkbox.Group label={said.scopes} value={[...chosen]} onChange={onChange}>
      <Checkbox
        my="xs"
        label={said.all}
        checked={isAll}
        indeterminate={!isAll && chosen.length > 0}
        onChange={() => onChange(isAll ? [] : scopes)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={6}>
        {scopes.map((scope) => (
          <Checkbox key={scope} value={scope} label={scope} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

type MadeProps = AnswerOf<'createToken'> & { readonly onClose: () => void };

function Made({ text, outcome, onClose }: MadeProps) {
  const said = useWords(WORDS);
  return (
    <Stack>
      <Alert title={said.made}>
        <Stack gap="xs">
          <Text size="sm">{said.onceOnly}</Text>
          <Copied value={text} />
        </Stack>
      </Alert>
      {outcome === 'REQUESTED' && <AskedNotice>{said.asked}</AskedNotice>}
      <Group justify="flex-end">
        <Button onClick={onClose}>{said.kept}</Button>
      </Group>
    </Stack>
  );
}

const WORDS = words({
  en: {
    make: 'Create API token',
    name: 'Name',
    nameHint: 'The server that will use it.',
    scopes: 'Permissions',
    all: 'All',
    lasts: 'Expires after',
    days: (days: string) => `${days} days`,
    never: 'Never',
    cancel: 'Cancel',
    made: 'Your new API token',
    onceOnly: 'You won’t see it again. Store it where your server keeps its secrets.',
    asked: 'It can send money, so it works once another person has approved it.',
    kept: 'Done',
  },
  fr: {
    make: 'Créer un jeton d’API',
    name: 'Nom',
    nameHint: 'Le serveur qui l’utilisera.',
    scopes: 'Droits',
    all: 'Tous',
    lasts: 'Expire après',
    days: (days: string) => `${days} jours`,
    never: 'Jamais',
    cancel: 'Annuler',
    made: 'Votre nouveau jeton d’API',
    onceOnly: 'Il ne sera plus affiché. Conservez-le là où votre serveur garde ses secrets.',
    asked: 'Il autorise des paiements sortants : il fonctionne dès qu’une autre personne l’a approuvé.',
    kept: 'Terminé',
  },
});
