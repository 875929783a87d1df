import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { answer, api } from '../api/client.ts';
import { answerConfirmationsWith } from '../api/confirmation.ts';
import { useWords, words } from '../language.tsx';
import { useFailureWords } from '../parts/failure-words.ts';
import { PasswordField } from '../parts/password-field.tsx';

/** Asks for the password before something dangerous, for whichever call needs it. */
export function ConfirmationDialog() {
  const said = useWords(WORDS);
  const explain = useFailureWords();
  const [isOpen, setIsOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
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
    setPassword('');
    setFailure(null);
  };
  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    // A form in a dialog would reach the form the dialog was opened from.
    event.stopPropagation();
    setIsPending(true);
    try {
      await answer(api.POST('/console/api/me/confirm', { body: { password } }));
      finish(true);
    } catch (error) {
      setFailure(explain(error).title);
    } finally {
      setIsPending(false);
    }
  };

  return (
    <Modal opened={isOpen} onClose={() => finish(false)} title={said.title} centered zIndex={400}>
      <form onSubmit={(event) => void confirm(event)}>
        <Stack>
          <Text size="sm" c="dimmed">
            {said.why}
          </Text>
          <PasswordField
            label={said.password}
            isFirst
            value={password}
            onChange={setPassword}
            error={failure}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => finish(false)}>
              {said.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {said.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

const WORDS = words({
  en: {
    title: 'Confirm that it is you',
    why: 'This changes something important. You will not be asked again for ten minutes.',
    password: 'Your password',
    cancel: 'Cancel',
    confirm: 'Confirm',
  },
  fr: {
    title: 'Confirmez que c’est vous',
    why: 'Cette action est importante. Vous ne serez plus interrogé pendant dix minutes.',
    password: 'Votre mot de passe',
    cancel: 'Annuler',
    confirm: 'Confirmer',
  },
});
