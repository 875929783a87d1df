import { Button, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { renewBackupCodes } from '../../api/sign-in.ts';
import { useWords, words } from '../../language.tsx';
import { BackupCodeList } from '../../parts/backup-code-list.tsx';
import { PasswordField } from '../../parts/password-field.tsx';

export function BackupCodesButton() {
  const said = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        {said.renew}
      </Button>
      <Modal opened={isOpen} onClose={close} title={said.renew} centered>
        <RenewForm />
      </Modal>
    </>
  );
}

function RenewForm() {
  const said = useWords(WORDS);
  const [password, setPassword] = useState('');
  const renew = useAct({ act: renewBackupCodes });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    renew.mutate(password);
  };
  if (renew.isSuccess) {
    return (
      <Stack>
        <Text>{said.keep}</Text>
        <BackupCodeList codes={renew.data.backupCodes} />
      </Stack>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{said.warning}</Text>
        <PasswordField label={said.password} isFirst value={password} onChange={setPassword} />
        <Button type="submit" loading={renew.isPending}>
          {said.renew}
        </Button>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: {
    renew: 'New backup codes',
    warning: 'Your current codes will stop working.',
    password: 'Your password',
    keep: 'Each code works once. You won’t see them again.',
  },
  fr: {
    renew: 'Nouveaux codes de secours',
    warning: 'Vos codes actuels ne fonctionneront plus.',
    password: 'Votre mot de passe',
    keep: 'Chaque code sert une seule fois. Ils ne seront plus affichés.',
  },
});
