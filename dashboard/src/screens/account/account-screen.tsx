import { Anchor, Group, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useLanguage, useWords, words } from '../../language.tsx';
import { useMe } from '../../me.ts';
import { FieldList } from '../../parts/field-list.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { BackupCodesButton } from './backup-codes-button.tsx';
import { PasswordForm } from './password-form.tsx';
import { SessionTable } from './session-table.tsx';

export function AccountScreen() {
  const said = useWords(WORDS);
  const { signedInWith } = useMe();
  return (
    <Page title={said.title}>
      <Person />
      <Section title={said.sessions}>
        <SessionTable />
      </Section>
      {signedInWith === 'PASSWORD' && (
        <Section title={said.password}>
          <PasswordForm />
        </Section>
      )}
    </Page>
  );
}

function Person() {
  const said = useWords(WORDS);
  const me = useMe();
  return (
    <FieldList
      fields={[
        { label: said.name, value: me.name },
        { label: said.email, value: me.email },
        { label: said.language, value: <LanguageChoice /> },
        { label: said.theme, value: <ThemeChoice /> },
        ...(me.signedInWith === 'PASSWORD'
          ? [{ label: said.factor, value: <TwoFactor isOn={me.hasTwoFactor} /> }]
          : []),
      ]}
    />
  );
}

function TwoFactor({ isOn }: { readonly isOn: boolean }) {
  const said = useWords(WORDS);
  if (isOn)
    return (
      <Group gap="sm">
        <StateBadge state="ON" tone="success">
          {said.on}
        </StateBadge>
        <BackupCodesButton />
      </Group>
    );
  return (
    <Anchor renderRoot={(props) => <Link {...props} to="/two-factor" search={{ to: '/account' }} />}>
      {said.setUp}
    </Anchor>
  );
}

function LanguageChoice() {
  const { language, choose } = useLanguage();
  const said = useWords(WORDS);
  return (
    <SegmentedControl
      size="xs"
      aria-label={said.language}
      value={language}
      onChange={choose}
      data={[
        { value: 'en', label: 'English' },
        { value: 'fr', label: 'Français' },
      ]}
    />
  );
}

function ThemeChoice() {
  const said = useWords(WORDS);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      aria-label={said.theme}
      value={colorScheme}
      onChange={setColorScheme}
      data={[
        { value: 'auto', label: said.auto },
        { value: 'light', label: said.light },
        { value: 'dark', label: said.dark },
      ]}
    />
  );
}

const WORDS = words({
  en: {
    title: 'My account',
    name: 'Name',
    email: 'E-mail address',
    language: 'Language',
    theme: 'Theme',
    auto: 'System',
    light: 'Light',
    dark: 'Dark',
    factor: 'Two-factor authentication (2FA)',
    on: 'On',
    setUp: 'Set up',
    sessions: 'Active sessions',
    password: 'Change password',
  },
  fr: {
    title: 'Mon compte',
    name: 'Nom',
    email: 'Adresse e-mail',
    language: 'Langue',
    theme: 'Thème',
    auto: 'Système',
    light: 'Clair',
    dark: 'Sombre',
    factor: 'Authentification à deux facteurs (2FA)',
    on: 'Activée',
    setUp: 'Configurer',
    sessions: 'Sessions actives',
    password: 'Changer le mot de passe',
  },
});
