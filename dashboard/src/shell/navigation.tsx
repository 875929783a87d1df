import { NavLink, ScrollArea, Text, VisuallyHidden } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { addressIn, GROUPS, type Entry } from '../area.ts';
import { useWords, words } from '../language.tsx';
import type { Scope } from '../me.ts';
import { badgeText, useBadges, type Badges } from '../parts/badges.ts';
import { Icon } from '../parts/icon.tsx';
import { entriesFor } from './entries.ts';
import style from './navigation.module.css';

/** What a role may open, and nothing else. */
export function Navigation({ scope }: { readonly scope: Scope }) {
  const said = useWords(WORDS);
  const entries = entriesFor(scope);
  const badges = useBadges(scope);
  return (
    <ScrollArea component="nav" aria-label={said.label}>
      {GROUPS.map((group) => {
        const inside = entries.filter((entry) => entry.group === group);
        if (inside.length === 0) return null;
        return (
          <div key={group}>
            {group !== 'work' && (
              <Text size="xs" c="dimmed" fw={500} px="sm" pt="lg" pb={4}>
                {said[group]}
              </Text>
            )}
            {inside.map((entry) => (
              <EntryLink key={entry.path} entry={entry} scope={scope} badges={badges} />
            ))}
          </div>
        );
      })}
    </ScrollArea>
  );
}

type EntryLinkProps = {
  readonly entry: Entry;
  readonly scope: Scope;
  readonly badges: Badges | undefined;
};

function EntryLink({ entry, scope, badges }: EntryLinkProps) {
  const { pathname } = useLocation();
  const said = useWords(WORDS);
  const waiting = badgeText((entry.badges ?? []).reduce((sum, name) => sum + (badges?.[name] ?? 0), 0));
  const label = useWords(entry.label);
  const address = addressIn(scope, entry.path);
  return (
    <NavLink
      component={Link}
      to={address}
      label={label}
      leftSection={<Icon name={entry.icon} />}
      rightSection={
        waiting !== null && (
          <span className={style['badge']}>
            {waiting}
            <VisuallyHidden> {said.waiting}</VisuallyHidden>
          </span>
        )
      }
      active={pathname === address || pathname.startsWith(`${address}/`)}
      className={style['link'] ?? ''}
    />
  );
}

const WORDS = words({
  en: { label: 'Screens', work: '', money: 'Money', settings: 'Settings', waiting: 'open' },
  fr: { label: 'Écrans', work: '', money: 'Argent', settings: 'Réglages', waiting: 'à traiter' },
});
