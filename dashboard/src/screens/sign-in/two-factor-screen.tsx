import { Button, List, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { comeBack } from '../../api/leave.ts';
import { createTwoFactor, verifyCode, type NewFactor } from '../../api/sign-in.ts';
import { useWords, words } from '../../language.tsx';
import { BackupCodeList } from '../../parts/backup-code-list.tsx';
import { Copied } from '../../parts/copied.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import { SignInPage, Refusal } from './sign-in-page.tsx';
import { PasswordField } from '../../parts/password-field.tsx';

/** Password, then the key for the app with a first code of it, then the backup codes. */
export function TwoFactorScreen() {
  const { to } = useSearch({ from: '/two-factor' });
  const [factor, setFactor] = useState<NewFactor | null>(null);
  const [isVerified, setIsVerified] = useState(false);
  if (factor === null) return <PasswordForm onDone={setFactor} />;
  if (!isVerified) return <KeyForm uri={factor.totpURI} onDone={() => setIsVerified(true)} />;
  return <BackupCodes codes={factor.backupCodes} onDone={() => comeBack(to)} />;
}

function PasswordForm({ onDone }: { readonly onDone: (factor: NewFactor) => void }) {
  const said = useWords(WORDS);
  const [password, setPassword] = useState('');
  const attempt = useMutation({ mutationFn: createTwoFactor, onSuccess: onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate(password);
  };
  return (
    <SignInPage title={said.title} hint={said.why}>
      <form onSubmit={submit}>
        <Stack>
          <Refusal error={attempt.error} />
          <PasswordField label={said.password} isFirst value={password} onChange={setPassword} />
          <Button type="submit" loading={attempt.isPending}>
            {said.next}
          </Button>
        </Stack>
      </form>
    </SignInPage>
  );
}

function KeyForm({ uri, onDone }: { readonly uri: string; readonly onDone: () => void }) {
  const said = useWords(WORDS);
  const [code, setCode] = useState('');
  const attempt = useMutation({ mutationFn: verifyCode, onSuccess: onDone });
  const key = new URL(uri).searchParams.get('secret') ?? '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate(code.trim());
  };
  return (
    <SignInPage title={said.title}>
      <form onSubmit={submit}>
        <Stack>
          <List type="ordered" spacing="xs">
            <List.Item>{said.scan}</List.Item>
            <List.Item>{said.enter}</List.Item>
          </List>
          <QrCode text={uri} label={said.qr} />
          <Text size="sm" c="dimmed">
            {said.manually}
          </Text>
          <Copied value={key} short={key.replaceAll(/(.{4})(?=.)/g, '$1 ')} />
          <Refusal error={attempt.error} />
          <TextInput
            label={said.code}
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Button type="submit" loading={attempt.isPending}>
            {said.next}
          </Button>
        </Stack>
      </form>
    </SignInPage>
  );
}

type BackupCodesProps = { readonly codes: readonly string[]; readonly onDone: () => void };

function BackupCodes({ codes, onDone }: BackupCodesProps) {
  const said = useWords(WORDS);
  return (
    <SignInPage title={said.backupTitle} hint={said.backupHint}>
      <BackupCodeList codes={codes} />
      <Button onClick={onDone}>{said.kept}</Button>
    </SignInPage>
  );
}

const WORDS = words({
  en: {
    title: 'Set up two-factor authentication (2FA)',
    why: 'A code from an app on your phone protects you if your password is stolen. Enter your password first.',
    password: 'Password',
    next: 'Continue',
    scan: 'Scan this QR code with an authenticator app on your phone.',
    enter: 'Enter the code from the app.',
    qr: 'QR code for the authenticator app',
    manually: 'Or enter this key in the app:',
    code: 'Code',
    backupTitle: 'Save your backup codes',
    backupHint: 'Each code works once, if you lose your phone. You won’t see them again.',
    kept: 'Done',
  },
  fr: {
    title: 'Configurer l’authentification à deux facteurs (2FA)',
    why:
      'Un code d’une application sur votre téléphone vous protège si votre mot de passe est volé. ' +
      'Saisissez d’abord votre mot de passe.',
    password: 'Mot de passe',
    next: 'Continuer',
    scan: 'Scannez ce code QR avec une application d’authentification sur votre téléphone.',
    enter: 'Saisissez le code de l’application.',
    qr: 'Code QR pour l’application d’authentification',
    manually: 'Ou saisissez cette clé dans l’application :',
    code: 'Code',
    backupTitle: 'Conservez vos codes de secours',
    backupHint:
      'Chaque code sert une seule fois, si vous perdez votre téléphone. Ils ne seront plus affichés.',
    kept: 'Terminé',
  },
});
