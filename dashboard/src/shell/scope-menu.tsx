import { Menu, Text, UnstyledButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { addressIn } from '../area.ts';
import { useWords, words } from '../language.tsx';
import { hostScope, merchantScope, type Me, type Scope } from '../me.ts';
import { Icon } from '../parts/icon.tsx';
import { ROLE_WORDS } from '../parts/role-words.ts';
import style from './header.module.css';

/** Where somebody works, and where else they could. */
export function ScopeMenu({ me, scope }: { readonly me: Me; readonly scope: Scope | null }) {
  const said = useWords(WORDS);
  const roles = useWords(ROLE_WORDS);
  const navigate = useNavigate();
  const go = (to: Scope) => void navigate({ to: addressIn(to, '').replace(/\/$/, '') });
  if (scope === null) return null;
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton className={style['scope']} aria-label={said.switch(nameOf(scope, said.host))}>
          <Text component="span" truncate>
            {nameOf(scope, said.host)}
          </Text>
          <Icon name="down" sizePx={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {me.host !== null && (
          <Menu.Item leftSection={<Icon name="settings" />} onClick={() => go(hostScope(me))}>
            {said.host}
            <Text size="xs" c="dimmed">
              {roles[me.host.role]}
            </Text>
          </Menu.Item>
        )}
        {me.merchants.map(({ merchantId, name, role }) => (
          <Menu.Item
            key={merchantId}
            leftSection={<Icon name="merchants" />}
            onClick={() => go(merchantScope(me, merchantId))}
          >
            {name}
            <Text size="xs" c="dimmed">
              {roles[role]}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const nameOf = (scope: Scope, host: string) => (scope.type === 'host' ? host : scope.name);

const WORDS = words({
  en: { host: 'Platform', switch: (name: string) => `Working at ${name}. Switch` },
  fr: { host: 'Plateforme', switch: (name: string) => `Vous travaillez pour ${name}. Changer` },
});
