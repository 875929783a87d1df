import { ActionIcon, Burger, Group, Kbd, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { Link } from '@tanstack/react-router';
import { IS_SANDBOX } from '../host.ts';
import { useWords, words } from '../language.tsx';
import type { Me, Scope } from '../me.ts';
import { Icon, Mark } from '../parts/icon.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import style from './header.module.css';
import { PersonMenu } from './person-menu.tsx';
import { ScopeMenu } from './scope-menu.tsx';

type HeaderProps = {
  readonly me: Me;
  readonly scope: Scope | null;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
};

export function Header({ me, scope, isOpen, onToggle }: HeaderProps) {
  const said = useWords(WORDS);
  return (
    <Group h="100%" px="sm" gap="sm" wrap="nowrap" className={style['header']} data-sandbox={IS_SANDBOX}>
      <Burger
        opened={isOpen}
        onClick={onToggle}
        hiddenFrom="sm"
        size="sm"
        aria-label={isOpen ? said.close : said.open}
      />
      <Link to="/" className={style['name']} aria-label={me.gateway}>
        <Mark />
        <Text component="span" fw={600} visibleFrom="sm" truncate>
          {me.gateway}
        </Text>
      </Link>
      {IS_SANDBOX && (
        <Tooltip label={said.sandboxHint}>
          <span>
            <StateBadge state="SANDBOX" tone="trouble">
              {said.sandbox}
            </StateBadge>
          </span>
        </Tooltip>
      )}
      <ScopeMenu me={me} scope={scope} />
      <Group gap="xs" ml="auto" wrap="nowrap">
        <UnstyledButton className={style['search']} onClick={spotlight.open} visibleFrom="sm">
          <Icon name="search" sizePx={15} />
          <span>{said.search}</span>
          <Kbd size="xs">Ctrl K</Kbd>
        </UnstyledButton>
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={spotlight.open}
          hiddenFrom="sm"
          aria-label={said.search}
        >
          <Icon name="search" />
        </ActionIcon>
        <PersonMenu me={me} />
      </Group>
    </Group>
  );
}

const WORDS = words({
  en: {
    open: 'Open menu',
    close: 'Close menu',
    search: 'Search',
    sandbox: 'Sandbox',
    sandboxHint: 'Test mode: no real money.',
  },
  fr: {
    open: 'Ouvrir le menu',
    close: 'Fermer le menu',
    search: 'Rechercher',
    sandbox: 'Bac à sable',
    sandboxHint: 'Mode test : aucun argent réel.',
  },
});
