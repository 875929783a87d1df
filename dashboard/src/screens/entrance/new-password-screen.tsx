import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { setNewPassword } from '../../api/sign-in.ts';
import { useWords, words } from '../../language.tsx';
import { NewPasswordField } from '../../parts/password-field.tsx';
import { Entrance, Refusal } from './entrance.tsx';

export function NewPasswordScreen() {
  const said = useWords(WORDS);
  const { token } = useParams({ from: '/new-password/$token' });
  const [newPassword, setPassword] = useState('');
  const change = useMutation({ mutationFn: setNewPassword });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ token, newPassword });
  };
  return (
    <Entrance title={said.title} hint={said.hint}>
      {change.isSuccess ? (
        <Stack>
          <Text role="status">{said.done}</Text>
          <Button component={Link} to="/sign-in">
            {said.signIn}
          </Button>
        </Stack>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <Refusal error={change.error} />
            <NewPasswordField value={newPassword} onChange={setPassword} />
            <Button type="submit" loading={change.isPending}>
              {said.save}
            </Button>
            <Anchor component={Link} to="/forgotten-password" size="sm">
              {said.again}
            </Anchor>
          </Stack>
        </form>
      )}
    </Entrance>
  );
}

const WORDS = words({
  en: {
    title: 'Choose a new password',
    hint: 'All your sessions end, on every device.',
    save: 'Save',
    done: 'Your new password is set.',
    signIn: 'Sign in',
    again: 'Ask for a new link',
  },
  fr: {
    title: 'Choisir un nouveau mot de passe',
    hint: 'Toutes vos sessions se terminent, sur chaque appareil.',
    save: 'Enregistrer',
    done: 'Votre nouveau mot de passe est enregistré.',
    signIn: 'Se connecter',
    again: 'Demander un nouveau lien',
  },
});
