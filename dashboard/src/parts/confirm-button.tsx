import { Button, Group, Modal, Stack, Text, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FormEvent, ReactNode } from 'react';
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
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    // A form in a dialog would reach the form the dialog was opened from.
    event.stopPropagation();
    // The caller has shown the failure. The dialog stays open for another try.
    void onConfirm().then(close, () => undefined);
  };
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
        <form onSubmit={confirm}>
          <Stack>
            {typeof question === 'string' ? <Text>{question}</Text> : question}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                {cancel}
              </Button>
              <Button {...(colour === undefined ? {} : { color: colour })} loading={isPending} type="submit">
                {label}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

const WORDS = words({ en: { cancel: 'Cancel' }, fr: { cancel: 'Annuler' } });
