import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { useWords, words } from '../../language.tsx';
import type { Role } from '../../me.ts';
import { AskedNotice } from '../../parts/asked-notice.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Invited } from '../../parts/invited.tsx';
import { ROLE_WORDS } from '../../parts/role-words.ts';
import { ROLE_HINTS } from './role-hints.ts';
import type { TeamCalls } from './team-calls.ts';

export function InviteButton({ calls }: { readonly calls: TeamCalls }) {
  const said = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={<Icon name="plus" sizePx={16} />} onClick={open}>
        {said.invite}
      </Button>
      <Modal opened={isOpen} onClose={close} title={said.invite} centered>
        <InviteForm calls={calls} onClose={close} />
      </Modal>
    </>
  );
}

type InviteFormProps = { readonly calls: TeamCalls; readonly onClose: () => void };

function InviteForm({ calls, onClose }: InviteFormProps) {
  const said = useWords(WORDS);
  const roles = useWords(ROLE_WORDS);
  const hints = useWords(ROLE_HINTS);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>(calls.roles.at(-1) ?? 'READ_ONLY');
  const invite = useAct({ act: calls.invite });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate({ email: email.trim(), role });
  };
  if (invite.isSuccess && invite.data.outcome === 'REQUESTED') {
    return (
      <Stack>
        <AskedNotice>{said.asked(email.trim())}</AskedNotice>
        <Group justify="flex-end">
          <Button onClick={onClose}>{said.close}</Button>
        </Group>
      </Stack>
    );
  }
  if (invite.isSuccess) return <Invited email={email.trim()} link={invite.data.link} onClose={onClose} />;
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={said.email}
          type="email"
          required
          data-autofocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <NativeSelect
          label={said.role}
          description={hints[role]}
          data={calls.roles.map((value) => ({ value, label: roles[value] }))}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as Role)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {said.cancel}
          </Button>
          <Button type="submit" loading={invite.isPending}>
            {said.invite}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: {
    invite: 'Invite',
    email: 'E-mail address',
    role: 'Role',
    cancel: 'Cancel',
    asked: (email: string) =>
      `This role can approve requests, so a second approver is needed. ${email} gets a link after approval.`,
    close: 'Close',
  },
  fr: {
    invite: 'Inviter',
    email: 'Adresse e-mail',
    role: 'Rôle',
    cancel: 'Annuler',
    asked: (email: string) =>
      `Ce rôle peut approuver des demandes : un second approbateur est requis. ${email} recevra ensuite un lien.`,
    close: 'Fermer',
  },
});
