import { Button, Group, Modal, Stack, Text, Textarea, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useWords, words } from '../language.tsx';

type ReasonButtonProps = {
  readonly label: string;
  /** What will happen. Fields may stand here too. */
  readonly children?: ReactNode;
  /** The dialog stays open until this is done, and when it fails. */
  readonly onConfirm: (reason: string) => Promise<unknown>;
  readonly isPending: boolean;
  readonly isDangerous?: boolean;
  /** While the fields above the reason are not filled in. */
  readonly isIncomplete?: boolean;
  readonly variant?: ButtonProps['variant'];
  readonly size?: ButtonProps['size'];
};

/** A button whose action needs a reason, which is stored with it. */
export function ReasonButton(props: ReasonButtonProps) {
  const { label, isDangerous = false } = props;
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant={props.variant ?? 'default'} size={props.size ?? 'xs'} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={label} centered>
        <ReasonForm {...props} isDangerous={isDangerous} onClose={close} />
      </Modal>
    </>
  );
}

function ReasonForm(props: ReasonButtonProps & { readonly onClose: () => void }) {
  const { label, children, onConfirm, isPending, isDangerous = false, isIncomplete = false, onClose } = props;
  const said = useWords(WORDS);
  const [reason, setReason] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The caller has shown the failure; the dialog stays, so that it can be tried again.
    void onConfirm(reason.trim()).then(onClose, () => undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {typeof children === 'string' ? <Text>{children}</Text> : children}
        <Textarea
          label={said.reason}
          description={said.reasonHint}
          required
          minLength={3}
          maxLength={1_000}
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {said.cancel}
          </Button>
          <Button
            type="submit"
            loading={isPending}
            disabled={isIncomplete || reason.trim().length < 3}
            {...(isDangerous ? { color: 'red' } : {})}
          >
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const WORDS = words({
  en: { reason: 'Reason', reasonHint: 'Stored with this action.', cancel: 'Cancel' },
  fr: { reason: 'Motif', reasonHint: 'Conservé avec cette action.', cancel: 'Annuler' },
});
