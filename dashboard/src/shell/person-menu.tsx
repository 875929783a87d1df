import { ActionIcon, Menu, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { signOut } from '../api/sign-in.ts';
import { useLanguage, useWords, words } from '../language.tsx';
import type { Me } from '../me.ts';
import { Icon } from '../parts/icon.tsx';

export function PersonMenu({ me }: { readonly me: Me }) {
  const said = useWords(WORDS);
  const { language, choose } = useLanguage();
  const navigate = useNavigate();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={said.menu}>
          <Icon name="person" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {me.name}
          </Text>
          <Text size="xs" truncate>
            {me.email}
          </Text>
        </Menu.Label>
        <Menu.Item leftSection={<Icon name="person" />} onClick={() => void navigate({ to: '/account' })}>
          {said.account}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="settings" />}
          onClick={() => choose(language === 'en' ? 'fr' : 'en')}
        >
          {said.other}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="leave" />} onClick={leave}>
          {said.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The page is loaded again, so that nothing of theirs stays in memory. */
function leave(): void {
  void signOut().finally(() => window.location.assign('/dashboard/sign-in'));
}

const WORDS = words({
  en: { menu: 'You', account: 'My account', other: 'Français', signOut: 'Sign out' },
  fr: { menu: 'Vous', account: 'Mon compte', other: 'English', signOut: 'Se déconnecter' },
});
