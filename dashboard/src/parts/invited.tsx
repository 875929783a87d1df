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
    mailed: (email: string) => `We have sent an invitation link to ${email}.`,
    handOn: (email: string) => `Send this link to ${email}`,
    onceOnly: 'It works once, only for this person. You won’t see it again.',
    close: 'Close',
  },
  fr: {
    mailed: (email: string) => `Nous avons envoyé un lien d’invitation à ${email}.`,
    handOn: (email: string) => `Envoyez ce lien à ${email}`,
    onceOnly: 'Il sert une seule fois, pour cette personne. Il ne sera plus affiché.',
    close: 'Fermer',
  },
});
