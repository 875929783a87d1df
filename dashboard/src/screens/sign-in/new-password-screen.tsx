import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { setNewPassword } from '../../api/sign-in.ts';
import { useWords, words } from '../../language.tsx';
import { NewPasswordField } from '../../parts/password-field.tsx';
import { SignInPage, Refusal } from './sign-in-page.tsx';

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
    <SignInPage title={said.title} hint={said.hint}>
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
    </SignInPage>
  );
}

const WORDS = words({
  en: {
    title: 'Choose a new password',
    hint: 'You will be signed out on all devices.',
    save: 'Save',
    done: 'Password changed.',
    signIn: 'Sign in',
    again: 'Request a new link',
  },
  fr: {
    title: 'Choisir un nouveau mot de passe',
    hint: 'Tous vos appareils seront déconnectés.',
    save: 'Enregistrer',
    done: 'Mot de passe modifié.',
    signIn: 'Se connecter',
    again: 'Demander un nouveau lien',
  },
});
