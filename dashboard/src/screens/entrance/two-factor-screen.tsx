import { Button, List, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState, type FormEvent } from 'react';
import { encode } from 'uqr';
import { comeBack } from '../../api/leave.ts';
import { createTwoFactor, verifyCode, type NewFactor } from '../../api/sign-in.ts';
import { useWords, words } from '../../language.tsx';
import { BackupCodeList } from '../../parts/backup-code-list.tsx';
import { Copied } from '../../parts/copied.tsx';
import { Entrance, Refusal } from './entrance.tsx';
import { PasswordField } from '../../parts/password-field.tsx';

/** Password, then the key for the app with a first code of it, then the backup codes. */
export function TwoFactorScreen() {
  const { to } = useSearch({ from: '/second-factor' });
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
    <Entrance title={said.title} hint={said.why}>
      <form onSubmit={submit}>
        <Stack>
          <Refusal error={attempt.error} />
          <PasswordField label={said.password} isFirst value={password} onChange={setPassword} />
          <Button type="submit" loading={attempt.isPending}>
            {said.next}
          </Button>
        </Stack>
      </form>
    </Entrance>
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
    <Entrance title={said.title}>
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
    </Entrance>
  );
}

/** Black on white in both themes: cameras want it so. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = useMemo(() => encode(text, { border: 2 }), [text]);
  const path = data
    .flatMap((row, y) => row.flatMap((isBlack, x) => (isBlack ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={200}
      height={200}
      shapeRendering="crispEdges"
      style={{ alignSelf: 'center', background: '#fff' }}
    >
      <path d={path} fill="#000" />
    </svg>
  );
}

type BackupCodesProps = { readonly codes: readonly string[]; readonly onDone: () => void };

function BackupCodes({ codes, onDone }: BackupCodesProps) {
  const said = useWords(WORDS);
  return (
    <Entrance title={said.backupTitle} hint={said.backupHint}>
      <BackupCodeList codes={codes} />
      <Button onClick={onDone}>{said.kept}</Button>
    </Entrance>
  );
}

const WORDS = words({
  en: {
    title: 'Set up a second factor',
    why: 'A code from an app on your phone, so that a stolen password is not enough. First your password:',
    password: 'Password',
    next: 'Continue',
    scan: 'Scan this with an authenticator app on your phone.',
    enter: 'Enter the code that it shows.',
    qr: 'QR code for the authenticator app',
    manually: 'Or type this key into the app:',
    code: 'Code',
    backupTitle: 'Keep these backup codes',
    backupHint: 'Each lets you in once if you lose your phone. They are shown only now.',
    kept: 'I have kept them',
  },
  fr: {
    title: 'Configurer un second facteur',
    why:
      'Un code d’une application sur votre téléphone, pour qu’un mot de passe volé ne suffise pas. ' +
      'D’abord votre mot de passe :',
    password: 'Mot de passe',
    next: 'Continuer',
    scan: 'Scannez ceci avec une application d’authentification sur votre téléphone.',
    enter: 'Saisissez le code qu’elle affiche.',
    qr: 'Code QR pour l’application d’authentification',
    manually: 'Ou saisissez cette clé dans l’application :',
    code: 'Code',
    backupTitle: 'Conservez ces codes de secours',
    backupHint:
      'Chacun vous laisse entrer une fois si vous perdez votre téléphone. Ils ne sont affichés que maintenant.',
    kept: 'Je les ai conservés',
  },
});
