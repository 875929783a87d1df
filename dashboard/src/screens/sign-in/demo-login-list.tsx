import { Button, Code, Divider, Group, Stack, Text } from '@mantine/core';
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
          h="auto"
          py="xs"
          styles={WHOLE_WORDS}
          loading={attempt.isPending && attempt.variables.email === email}
          onClick={() => attempt.mutate({ email, password })}
        >
          <Group component="span" justify="space-between" gap="0 8px" w="100%">
            <span>{roles[role]}</span>
            <Text component="span" size="sm" c="dimmed">
              {email}
            </Text>
          </Group>
        </Button>
      ))}
      <Text size="sm" c="dimmed">
        {said.password} <Code>{password}</Code>
      </Text>
    </Stack>
  );
}

/** A role that does not fit beside its address stands above it. */
const WHOLE_WORDS = {
  inner: { justifyContent: 'stretch' },
  label: { flex: 1, height: 'auto', overflow: 'visible', whiteSpace: 'normal', textAlign: 'start' },
} as const;

const WORDS = words({
  en: { title: 'Demo logins of this sandbox', password: 'Password of all:' },
  fr: { title: 'Comptes de démonstration', password: 'Mot de passe de tous :' },
});
