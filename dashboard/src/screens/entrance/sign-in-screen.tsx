import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { comeBack } from '../../api/leave.ts';
import { signIn, verifyBackupCode, verifyCode } from '../../api/sign-in.ts';
import { useWords, words } from '../../language.tsx';
import { Entrance, Refusal } from './entrance.tsx';
import { PasswordField } from '../../parts/password-field.tsx';

/** E-mail address and password, then a code where the person has a second factor. */
export function SignInScreen() {
  const { to } = useSearch({ from: '/sign-in' });
  const [needsCode, setNeedsCode] = useState(false);
  if (needsCode) return <CodeForm onDone={() => comeBack(to)} />;
  return <PasswordForm onDone={(isCodeToCome) => (isCodeToCome ? setNeedsCode(true) : comeBack(to))} />;
}

function PasswordForm({ onDone }: { readonly onDone: (isCodeToCome: boolean) => void }) {
  const said = useWords(WORDS);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const attempt = useMutation({ mutationFn: signIn, onSuccess: onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate({ email: email.trim(), password });
  };
  return (
    <Entrance title={said.title}>
      <form onSubmit={submit}>
        <Stack>
          <Refusal error={attempt.error} />
          <TextInput
            label={said.email}
            type="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordField label={said.password} value={password} onChange={setPassword} />
          <Button type="submit" loading={attempt.isPending}>
            {said.signIn}
          </Button>
          <Anchor component={Link} to="/forgotten-password" size="sm">
            {said.forgotten}
          </Anchor>
        </Stack>
      </form>
    </Entrance>
  );
}

function CodeForm({ onDone }: { readonly onDone: () => void }) {
  const said = useWords(WORDS);
  const [isBackup, setIsBackup] = useState(false);
  const [code, setCode] = useState('');
  const attempt = useMutation({ mutationFn: isBackup ? verifyBackupCode : verifyCode, onSuccess: onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate(code.trim());
  };
  const change = () => {
    setIsBackup(!isBackup);
    setCode('');
    attempt.reset();
  };
  return (
    <Entrance title={said.codeTitle} hint={isBackup ? said.backupHint : said.codeHint}>
      <form onSubmit={submit}>
        <Stack>
          <Refusal error={attempt.error} />
          <TextInput
            key={String(isBackup)}
            label={isBackup ? said.backup : said.code}
            autoComplete="one-time-code"
            inputMode={isBackup ? 'text' : 'numeric'}
            required
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Button type="submit" loading={attempt.isPending}>
            {said.signIn}
          </Button>
          <Anchor component="button" type="button" size="sm" ta="start" onClick={change}>
            {isBackup ? said.useCode : said.useBackup}
          </Anchor>
        </Stack>
      </form>
    </Entrance>
  );
}

const WORDS = words({
  en: {
    title: 'Sign in',
    email: 'E-mail address',
    password: 'Password',
    signIn: 'Sign in',
    forgotten: 'Forgotten your password?',
    codeTitle: 'Second factor',
    codeHint: 'Enter the code that your authenticator app shows.',
    code: 'Code',
    backupHint: 'Enter one of the backup codes you kept. It works once.',
    backup: 'Backup code',
    useBackup: 'Use a backup code instead',
    useCode: 'Use the authenticator app instead',
  },
  fr: {
    title: 'Connexion',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    signIn: 'Se connecter',
    forgotten: 'Mot de passe oublié ?',
    codeTitle: 'Second facteur',
    codeHint: 'Saisissez le code affiché par votre application d’authentification.',
    code: 'Code',
    backupHint: 'Saisissez l’un des codes de secours que vous avez gardés. Il sert une seule fois.',
    backup: 'Code de secours',
    useBackup: 'Utiliser un code de secours',
    useCode: 'Utiliser l’application d’authentification',
  },
});
