import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { requestNewPassword } from '../../api/sign-in.ts';
import { useWords, words } from '../../language.tsx';
import { Entrance, Refusal } from './entrance.tsx';

export function ForgottenPasswordScreen() {
  const said = useWords(WORDS);
  const [email, setEmail] = useState('');
  const request = useMutation({ mutationFn: requestNewPassword });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    request.mutate(email.trim());
  };
  return (
    <Entrance title={said.title} hint={said.hint}>
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
    </Entrance>
  );
}

const WORDS = words({
  en: {
    title: 'Forgotten password',
    hint: 'We send a link by which you choose a new one.',
    email: 'E-mail address',
    ask: 'Send the link',
    sent:
      'If there is an account with this address, a mail is on its way. Where this gateway sends no mails, ' +
      'whoever runs it can make the link for you.',
    back: 'Back to signing in',
  },
  fr: {
    title: 'Mot de passe oublié',
    hint: 'Nous envoyons un lien qui permet d’en choisir un nouveau.',
    email: 'Adresse e-mail',
    ask: 'Envoyer le lien',
    sent:
      'S’il existe un compte avec cette adresse, un message est en route. Si cette passerelle n’envoie pas de ' +
      'messages, son exploitant peut créer le lien pour vous.',
    back: 'Retour à la connexion',
  },
});
