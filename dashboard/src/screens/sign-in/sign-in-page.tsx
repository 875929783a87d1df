import { Alert, Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { GATEWAY, IS_SANDBOX } from '../../host.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { useFailureWords } from '../../parts/failure-words.ts';
import { Mark } from '../../parts/icon.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import style from './sign-in-page.module.css';

type SignInPageProps = { readonly title: string; readonly hint?: ReactNode; readonly children: ReactNode };

/** The outside of the screens before the shell: one narrow column below the gateway's name. */
export function SignInPage({ title, hint, children }: SignInPageProps) {
  useDocumentTitle(`${title} · ${GATEWAY}`);
  const said = useWords(WORDS);
  const { language, choose } = useLanguage();
  return (
    <main className={style['outside']}>
      <Stack gap="md" w="100%" maw={400}>
        <Group gap="xs" c="var(--mantine-color-anchor)">
          <Mark sizePx={26} />
          <Text component="span" fw={600} fz="lg" c="var(--mantine-color-text)">
            {GATEWAY}
          </Text>
          {IS_SANDBOX && (
            <StateBadge state="SANDBOX" tone="trouble">
              {said.sandbox}
            </StateBadge>
          )}
        </Group>
        <Paper withBorder p="lg">
          <Stack gap="md">
            <Stack gap={4}>
              <Title order={1}>{title}</Title>
              {hint !== undefined && <Text c="dimmed">{hint}</Text>}
            </Stack>
            {children}
          </Stack>
        </Paper>
        <Anchor
          component="button"
          size="sm"
          ta="start"
          onClick={() => choose(language === 'en' ? 'fr' : 'en')}
        >
          {said.other}
        </Anchor>
      </Stack>
    </main>
  );
}

/** Says why a form was not taken. */
export function Refusal({ error }: { readonly error: unknown }) {
  const explain = useFailureWords();
  if (error === null || error === undefined) return null;
  const { title, advice } = explain(error);
  return (
    <Alert color="red" title={title} role="alert">
      {advice}
    </Alert>
  );
}

const WORDS = words({
  en: { sandbox: 'Sandbox', other: 'Français' },
  fr: { sandbox: 'Bac à sable', other: 'English' },
});
