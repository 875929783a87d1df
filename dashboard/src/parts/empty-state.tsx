import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

type EmptyStateProps = {
  readonly icon?: IconName;
  readonly title: string;
  /** Where nothing else is on the screen: its title is that of the screen. */
  readonly isScreen?: boolean;
  /** Why it is empty, or what will appear here. */
  readonly children?: ReactNode;
  /** What to do about it. */
  readonly action?: ReactNode;
};

export function EmptyState({ icon = 'search', title, isScreen = false, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py="xl" px="md" ta="center" bg="var(--ground-raised)" bdrs="md">
      <Text c="dimmed" component="span" lh={0}>
        <Icon name={icon} sizePx={28} />
      </Text>
      <Stack gap={4} align="center">
        <Text component={isScreen ? 'h1' : 'p'} m={0} fw={600} fz="lg">
          {title}
        </Text>
        {children !== undefined && (
          <Text c="dimmed" maw={440}>
            {children}
          </Text>
        )}
      </Stack>
      {action}
    </Stack>
  );
}
