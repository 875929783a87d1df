import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { requestNewPassword } from '../../api/sign-in.ts';
import { useWords, words } from '../../language.tsx';
import { SignInPage, Refusal } from './sign-in-page.tsx';

export function ForgottenPasswordScreen() {
  const said = useWords(WORDS);
  const [email, setEmail] = useState('');
  const request = useMutation({ mutationFn: requestNewPassword });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    request.mutate(email.trim());
  };
  return (
    <SignInPage title={said.title} hint={said.hint}>
      <Stack>
        {request.isSuccess ? (
          // The same whether there is such an account or not.
          <Text role="status">{said.sent}</Text>
        ) : (
          <form onSubmit={submit}>
            <Stack>
              <Refusal error={request.error} />
              <TextInput
                label={said.email}
                type="email"
                autoComplete="username"
                required
                autoFocus
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
              />
              <Button type="submit" loading={request.isPending}>
                {said.ask}
              </Button>
            </Stack>
          </form>
        )}
        <Anchor component={Link} to="/sign-in" size="sm">
          {said.back}
        </Anchor>
      </Stack>
    </SignInPage>
  );
}

const WORDS = words({
  en: {
    title: 'Forgot password?',
    hint: 'We’ll email you a reset link.',
    email: 'E-mail address',
    ask: 'Send reset link',
    sent:
      'If there is an account with this address, we have sent a reset link. ' +
      'No e-mail? A platform administrator can create a link for you.',
    back: 'Back to sign-in',
  },
  fr: {
    title: 'Mot de passe oublié ?',
    hint: 'Nous vous enverrons un lien de réinitialisation par e-mail.',
    email: 'Adresse e-mail',
    ask: 'Envoyer le lien',
    sent:
      'S’il existe un compte avec cette adresse, nous avons envoyé un lien de réinitialisation. ' +
      'Pas d’e-mail ? Un administrateur de la plateforme peut créer un lien pour vous.',
    back: 'Retour à la connexion',
  },
});
