import { NavLink, ScrollArea, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { addressIn, GROUPS, type Entry } from '../area.ts';
import { useWords, words } from '../language.tsx';
import type { Scope } from '../me.ts';
import { Icon } from '../parts/icon.tsx';
import { entriesFor } from './entries.ts';

/** What a role may open, and nothing else. */
export function Navigation({ scope }: { readonly scope: Scope }) {
  const said = useWords(WORDS);
  const entries = entriesFor(scope);
  return (
    <ScrollArea component="nav" aria-label={said.label}>
      {GROUPS.map((group) => {
        const inside = entries.filter((entry) => entry.group === group);
        if (inside.length === 0) return null;
        return (
          <div key={group}>
            {group !== 'work' && (
              <Text size="xs" c="dimmed" fw={600} px="sm" pt="md" pb={4}>
                {said[group]}
              </Text>
            )}
            {inside.map((entry) => (
              <EntryLink key={entry.path} entry={entry} scope={scope} />
            ))}
          </div>
        );
      })}
    </ScrollArea>
  );
}

function EntryLink({ entry, scope }: { readonly entry: Entry; readonly scope: Scope }) {
  const { pathname } = useLocation();
  const label = useWords(entry.label);
  const address = addressIn(scope, entry.path);
  return (
    <NavLink
      component={Link}
      to={address}
      label={label}
      leftSection={<Icon name={entry.icon} />}
      active={pathname === address || pathname.startsWith(`${address}/`)}
      py={6}
    />
  );
}

const WORDS = words({
  en: { label: 'Screens', work: '', money: 'Money', settings: 'Settings' },
  fr: { label: 'Écrans', work: '', money: 'Argent', settings: 'Réglages' },
});
