import { Button, Group, Modal, Stack, Text, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useWords, words } from '../language.tsx';

type ConfirmButtonProps = {
  /** On the button, and on the one that confirms. */
  readonly label: string;
  /** What will happen, as a question or a warning. Fields may stand here too. */
  readonly question: ReactNode;
  /** The dialog stays open until this is done, and when it fails. */
  readonly onConfirm: () => Promise<unknown>;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  readonly size?: ButtonProps['size'];
  readonly variant?: ButtonProps['variant'];
  readonly isPending?: boolean;
};

/** A button whose act is explained and confirmed first. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, question, onConfirm, isDangerous = true, isDisabled = false, isPending = false } = props;
  const { cancel } = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  const colour = isDangerous ? 'red' : undefined;
  // A failure was shown by whoever made the call; the dialog stays, so that it can be tried again.
  const confirm = () => void onConfirm().then(close, () => undefined);
  return (
    <>
      <Button
        variant={props.variant ?? 'default'}
        size={props.size ?? 'xs'}
        disabled={isDisabled}
        onClick={open}
      >
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={label} centered>
        <Stack>
          {typeof question === 'string' ? <Text>{question}</Text> : question}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {cancel}
            </Button>
            <Button
              {...(colour === undefined ? {} : { color: colour })}
              loading={isPending}
              onClick={confirm}
            >
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

const WORDS = words({ en: { cancel: 'Cancel' }, fr: { cancel: 'Annuler' } });
