import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { answer, api } from '../api/client.ts';
import { answerConfirmationsWith, onConfirmed } from '../api/confirmation.ts';
import { startSingleSignOn } from '../api/sign-in.ts';
import { useWords, words } from '../language.tsx';
import { useMe } from '../me.ts';
import { useFailureWords } from '../parts/failure-words.ts';
import { PasswordField } from '../parts/password-field.tsx';

/** Asks before something dangerous, for whichever call needs it: for the password, or at the identity provider. */
export function ConfirmationDialog() {
  const said = useWords(WORDS);
  const { signedInWith } = useMe();
  const [isOpen, setIsOpen] = useState(false);
  const settle = useRef<(isConfirmed: boolean) => void>(() => undefined);

  useEffect(() => {
    answerConfirmationsWith(() => {
      setIsOpen(true);
      return new Promise((resolve) => {
        settle.current = resolve;
      });
    });
    return () => answerConfirmationsWith(null);
  }, []);

  const finish = (isConfirmed: boolean) => {
    settle.current(isConfirmed);
    setIsOpen(false);
  };
  const Form = signedInWith === 'PROVIDER' ? ProviderForm : PasswordForm;
  return (
    <Modal opened={isOpen} onClose={() => finish(false)} title={said.title} centered zIndex={400}>
      <Form finish={finish} />
    </Modal>
  );
}

type FormProps = { readonly finish: (isConfirmed: boolean) => void };

function PasswordForm({ finish }: FormProps) {
  const said = useWords(WORDS);
  const [password, setPassword] = useState('');
  const confirm = () => answer(api.POST('/console/api/me/confirm', { body: { password } }));
  const { failure, isPending, attempt } = useAttempt(async () => {
    await confirm();
    finish(true);
  });
  return (
    <Asking why={said.why} isPending={isPending} onSubmit={attempt} onCancel={() => finish(false)}>
      <PasswordField label={said.password} isFirst value={password} onChange={setPassword} error={failure} />
    </Asking>
  );
}

/** In a window of its own, so that nothing is lost of what is filled in here. */
function ProviderForm({ finish }: FormProps) {
  const said = useWords(WORDS);
  const done = useRef(finish);
  done.current = finish;
  useEffect(() => onConfirmed(() => done.current(true)), []);
  const { failure, isPending, attempt } = useAttempt(async () => {
    window.open(await startSingleSignOn({ confirm: true }), 'malipo-confirm', 'width=520,height=680');
  });
  return (
    <Asking why={said.whyProvider} isPending={isPending} onSubmit={attempt} onCancel={() => finish(false)}>
      {failure !== null && (
        <Text size="sm" c="red" role="alert">
          {failure}
        </Text>
      )}
    </Asking>
  );
}

function useAttempt(work: () => Promise<void>) {
  const explain = useFailureWords();
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
  const attempt = async () => {
    setIsPending(true);
    try {
      await work();
    } catch (error) {
      setFailure(explain(error).title);
    } finally {
      setIsPending(false);
    }
  };
  return { failure, isPending, attempt };
}

type AskingProps = {
  readonly why: string;
  readonly isPending: boolean;
  readonly onSubmit: () => Promise<void>;
  readonly onCancel: () => void;
  readonly children: ReactNode;
};

function Asking({ why, isPending, onSubmit, onCancel, children }: AskingProps) {
  const said = useWords(WORDS);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A form in a dialog would reach the form the dialog was opened from.
    event.stopPropagation();
    void onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          {why}
        </Text>
        {children}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {said.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {said.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: {
    title: 'Confirm it’s you',
    why: 'Enter your password to continue. We won’t ask again for 10 minutes.',
    whyProvider: 'Sign in again to continue. We won’t ask again for 10 minutes.',
    password: 'Your password',
    cancel: 'Cancel',
    confirm: 'Confirm',
  },
  fr: {
    title: 'Confirmez que c’est vous',
    why: 'Saisissez votre mot de passe pour continuer. Il ne sera plus demandé pendant 10 minutes.',
    whyProvider: 'Authentifiez-vous à nouveau pour continuer. Ce ne sera plus demandé pendant 10 minutes.',
    password: 'Votre mot de passe',
    cancel: 'Annuler',
    confirm: 'Confirmer',
  },
});
