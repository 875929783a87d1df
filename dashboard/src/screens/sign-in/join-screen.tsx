import { Button, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { comeBack } from '../../api/leave.ts';
import { reading } from '../../api/queries.ts';
import { signIn } from '../../api/sign-in.ts';
import { useWords, words } from '../../language.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { NewPasswordField } from '../../parts/password-field.tsx';
import { ROLE_WORDS } from '../../parts/role-words.ts';
import { SignInPage, Refusal } from './sign-in-page.tsx';

/** Where the link of an invitation leads. People with an account accept it; others create one. */
export function JoinScreen() {
  const said = useWords(WORDS);
  const { token } = useParams({ from: '/join/$token' });
  const invitation = useQuery(reading('/console/api/invitations/{token}', { params: { path: { token } } }));
  return (
    <SignInPage title={said.title}>
      <Loaded query={invitation} skeleton={<Skeleton height={260} />}>
        {(data) => (
          <Stack>
            <Invited invitation={data} />
            {data.isKnown ? <AcceptButton token={token} /> : <JoinForm token={token} email={data.email} />}
          </Stack>
        )}
      </Loaded>
    </SignInPage>
  );
}

function Invited({ invitation }: { readonly invitation: AnswerOf<'readInvitation'> }) {
  const said = useWords(WORDS);
  const roles = useWords(ROLE_WORDS);
  return (
    <Text>
      {said.invited} <b>{invitation.team}</b> ({roles[invitation.role]}) {said.as} <b>{invitation.email}</b>.
    </Text>
  );
}

/** Signing in comes first by itself, where somebody is not: the call says so, and they come back here. */
function AcceptButton({ token }: { readonly token: string }) {
  const said = useWords(WORDS);
  const accept = useMutation({
    mutationFn: () => answer(api.POST('/console/api/invitations/accept', { body: { token } })),
    onSuccess: () => comeBack('/'),
  });
  return (
    <Stack>
      <Refusal error={accept.error} />
      <Text c="dimmed">{said.known}</Text>
      <Button loading={accept.isPending} onClick={() => accept.mutate()}>
        {said.accept}
      </Button>
    </Stack>
  );
}

function JoinForm({ token, email }: { readonly token: string; readonly email: string }) {
  const said = useWords(WORDS);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const join = useMutation({
    mutationFn: async () => {
      await answer(api.POST('/console/api/join', { body: { token, name: name.trim(), password } }));
      await signIn({ email, password });
    },
    onSuccess: () => comeBack('/'),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    join.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Refusal error={join.error} />
        <TextInput
          label={said.name}
          autoComplete="name"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NewPasswordField value={password} onChange={setPassword} />
        <Button type="submit" loading={join.isPending}>
          {said.join}
        </Button>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: {
    title: 'Join the team',
    invited: 'You’re invited to join',
    as: 'with the address',
    known: 'You already have an account.',
    accept: 'Accept',
    name: 'Your name',
    join: 'Join',
  },
  fr: {
    title: 'Rejoindre l’équipe',
    invited: 'Vous avez une invitation à rejoindre',
    as: 'avec l’adresse',
    known: 'Vous avez déjà un compte.',
    accept: 'Accepter',
    name: 'Votre nom',
    join: 'Rejoindre',
  },
});
