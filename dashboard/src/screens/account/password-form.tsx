import { Button, Stack } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useAct } from '../../api/acts.ts';
import { changePassword } from '../../api/sign-in.ts';
import { useWords, words } from '../../language.tsx';
import { NewPasswordField, PasswordField } from '../../parts/password-field.tsx';

export function PasswordForm() {
  const said = useWords(WORDS);
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const change = useAct({
    act: changePassword,
    done: said.done,
    onDone: () => {
      setCurrent('');
      setNew('');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ currentPassword, newPassword });
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={400}>
        <PasswordField label={said.current} value={currentPassword} onChange={setCurrent} />
        <NewPasswordField value={newPassword} onChange={setNew} />
        <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
          {said.change}
        </Button>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: {
    current: 'Current password',
    change: 'Change password',
    done: 'Password changed. Your other sessions are signed out.',
  },
  fr: {
    current: 'Mot de passe actuel',
    change: 'Changer le mot de passe',
    done: 'Mot de passe modifié. Vos autres sessions sont déconnectées.',
  },
});
