import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useWords, words } from '../language.tsx';
import { Copied } from './copied.tsx';

type InvitedProps = { readonly email: string; readonly link: string | null; readonly onClose: () => void };

/** Somebody was invited. Where no mails are sent, the link is shown once, to be handed on. */
export function Invited({ email, link, onClose }: InvitedProps) {
  const said = useWords(WORDS);
  return (
    <Stack>
      {link === null ? (
        <Text>{said.mailed(email)}</Text>
      ) : (
        <Alert title={said.handOn(email)}>
          <Stack gap="xs">
            <Text size="sm">{said.onceOnly}</Text>
            <Copied value={link} />
          </Stack>
        </Alert>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>{said.close}</Button>
      </Group>
    </Stack>
  );
}

const WORDS = words({
  en: {
    mailed: (email: string) => `A mail with a link is on its way to ${email}.`,
    handOn: (email: string) => `Give this link to ${email}`,
    onceOnly: 'It is shown only now, works once, and only for them.',
    close: 'Close',
  },
  fr: {
    mailed: (email: string) => `Un message avec un lien est en route vers ${email}.`,
    handOn: (email: string) => `Donnez ce lien à ${email}`,
    onceOnly: 'Il n’est affiché que maintenant, sert une seule fois, et seulement pour cette personne.',
    close: 'Fermer',
  },
});
