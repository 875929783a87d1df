import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

type EmptyStateProps = {
  readonly icon?: IconName;
  readonly title: string;
  /** Why it is empty, or what will appear here. */
  readonly children?: ReactNode;
  /** What to do about it. */
  readonly action?: ReactNode;
};

export function EmptyState({ icon = 'search', title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <Text c="dimmed" component="span">
        <Icon name={icon} sizePx={28} />
      </Text>
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text c="dimmed" size="sm" maw={440}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}
