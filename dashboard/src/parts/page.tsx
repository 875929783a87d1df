import { Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { GATEWAY } from '../host.ts';

type PageProps = {
  readonly title: string;
  /** One sentence about what this screen is for. */
  readonly hint?: ReactNode;
  /** The way back, above the title. */
  readonly back?: ReactNode;
  /** Buttons, at the right of the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** The outside of every screen: its title, what can be done with all of it, and its contents. */
export function Page({ title, hint, back, actions, children }: PageProps) {
  useDocumentTitle(`${title} · ${GATEWAY}`);
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        {back}
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={4}>
            <Title order={1}>{title}</Title>
            {hint !== undefined && (
              <Text component="div" c="dimmed" maw={680}>
                {hint}
              </Text>
            )}
          </Stack>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
      </Stack>
      {children}
    </Stack>
  );
}

type SectionProps = {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A part of a screen with a heading of its own. */
export function Section({ title, hint, actions, children }: SectionProps) {
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Stack gap={2}>
          <Title order={2}>{title}</Title>
          {hint !== undefined && (
            <Text component="div" size="sm" c="dimmed" maw={680}>
              {hint}
            </Text>
          )}
        </Stack>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
