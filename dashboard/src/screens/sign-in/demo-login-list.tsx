import { Button, Code, Divider, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { signIn } from '../../api/sign-in.ts';
import type { DemoLogins } from '../../host.ts';
import { useWords, words } from '../../language.tsx';
import { ROLE_WORDS } from '../../parts/role-words.ts';
import { Refusal } from './sign-in-page.tsx';

type DemoLoginListProps = {
  readonly logins: DemoLogins;
  readonly onDone: (isCodeToCome: boolean) => void;
};

/** One button for each demo person of a sandbox: pressing it signs in as them. */
export function DemoLoginList({ logins: { password, people }, onDone }: DemoLoginListProps) {
  const said = useWords(WORDS);
  const roles = useWords(ROLE_WORDS);
  const attempt = useMutation({ mutationFn: signIn, onSuccess: onDone });
  return (
    <Stack gap="xs">
      <Divider label={said.title} />
      <Refusal error={attempt.error} />
      {people.map(({ email, role }) => (
        <Button
          key={email}
          variant="default"
          justify="space-between"
          h="auto"
          py="xs"
          loading={attempt.isPending && attempt.variables.email === email}
          rightSection={
            <Text component="span" size="sm" c="dimmed">
              {email}
            </Text>
          }
          onClick={() => attempt.mutate({ email, password })}
        >
          {roles[role]}
        </Button>
      ))}
      <Text size="sm" c="dimmed">
        {said.password} <Code>{password}</Code>
      </Text>
    </Stack>
  );
}

const WORDS = words({
  en: { title: 'Demo logins of this sandbox', password: 'Password of all:' },
  fr: { title: 'Comptes de démonstration', password: 'Mot de passe de tous :' },
});
