import { Anchor, Button, Divider, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { comeBack } from '../../api/leave.ts';
import { Failure } from '../../api/failure.ts';
import { reading } from '../../api/queries.ts';
import { signIn, startSingleSignOn, verifyBackupCode, verifyCode } from '../../api/sign-in.ts';
import { DEMO_LOGINS } from '../../host.ts';
import { useWords, words } from '../../language.tsx';
import { DemoLoginList } from './demo-login-list.tsx';
import { SignInPage, Refusal } from './sign-in-page.tsx';
import { PasswordField } from '../../parts/password-field.tsx';

/** At the identity provider where there is one, or by address and password, then a code for those who have one. */
export function SignInScreen() {
  const { to } = useSearch({ from: '/sign-in' });
  const [needsCode, setNeedsCode] = useState(false);
  if (needsCode) return <CodeForm onDone={() => comeBack(to)} />;
  return <FirstForm onDone={(isCodeToCome) => (isCodeToCome ? setNeedsCode(true) : comeBack(to))} />;
}

function FirstForm({ onDone }: FormProps) {
  const said = useWords(WORDS);
  return (
    <SignInPage title={said.title}>
      <SingleSignOn />
      <PasswordForm onDone={onDone} />
      {DEMO_LOGINS !== null && <DemoLoginList logins={DEMO_LOGINS} onDone={onDone} />}
    </SignInPage>
  );
}

type FormProps = { readonly onDone: (isCodeToCome: boolean) => void };

/** Nothing where people sign in with passwords only. */
function SingleSignOn() {
  const said = useWords(WORDS);
  const { to, error } = useSearch({ from: '/sign-in' });
  const { data } = useQuery(reading('/console/api/sign-in', {}));
  const attempt = useMutation({
    mutationFn: () => startSingleSignOn(to === undefined ? {} : { to }),
    onSuccess: (url) => window.location.assign(url),
  });
  const provider = data?.provider ?? null;
  if (provider === null) return null;
  const refusal = attempt.error ?? (error === undefined ? null : new Failure(error));
  return (
    <Stack>
      <Refusal error={refusal} />
      <Button loading={attempt.isPending} onClick={() => attempt.mutate()}>
        {said.continueWith(provider.name)}
      </Button>
      <Divider label={said.or} />
    </Stack>
  );
}

function PasswordForm({ onDone }: FormProps) {
  const said = useWords(WORDS);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const attempt = useMutation({ mutationFn: signIn, onSuccess: onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate({ email: email.trim(), password });
  };
  return (
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
    <SignInPage title={said.codeTitle} hint={isBackup ? said.backupHint : said.codeHint}>
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
    </SignInPage>
  );
}

const WORDS = words({
  en: {
    title: 'Sign in',
    continueWith: (name: string) => `Continue with ${name}`,
    or: 'or with a password',
    email: 'E-mail address',
    password: 'Password',
    signIn: 'Sign in',
    forgotten: 'Forgot password?',
    codeTitle: 'Two-factor authentication (2FA)',
    codeHint: 'Enter the code from your authenticator app.',
    code: 'Code',
    backupHint: 'Enter one of your backup codes. Each works once.',
    backup: 'Backup code',
    useBackup: 'Use a backup code',
    useCode: 'Use the authenticator app',
  },
  fr: {
    title: 'Connexion',
    continueWith: (name: string) => `Continuer avec ${name}`,
    or: 'ou avec un mot de passe',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    signIn: 'Se connecter',
    forgotten: 'Mot de passe oublié ?',
    codeTitle: 'Authentification à deux facteurs (2FA)',
    codeHint: 'Saisissez le code affiché par votre application d’authentification.',
    code: 'Code',
    backupHint: 'Saisissez l’un de vos codes de secours. Chacun sert une seule fois.',
    backup: 'Code de secours',
    useBackup: 'Utiliser un code de secours',
    useCode: 'Utiliser l’application d’authentification',
  },
});
