// The frame of every screen for people who are signed in: header, navigation, search, and the dialog that asks for the
// password once more.
import { AppShell, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api } from '../api/client.ts';
import { leaveFor } from '../api/leave.ts';
import { useLanguage, useWords, words } from '../language.tsx';
import { useMeQuery, useScope, type Me } from '../me.ts';
import { FailureState } from '../parts/failure-state.tsx';
import { TimeZoneProvider } from '../parts/time-zone.ts';
import { ConfirmationDialog } from './confirmation-dialog.tsx';
import { Header } from './header.tsx';
import { lastScope, rememberScope } from './last-scope.ts';
import { Navigation } from './navigation.tsx';
import { NotPermitted } from './not-found.tsx';
import { PlatformBanner } from './platform-banner.tsx';
import { Search } from './search.tsx';
import style from './shell.module.css';

const HEADER_PX = 52;
const SIDE_PX = 216;
/** Less on a phone, where width is scarce. */
const PADDING = { base: 'md', md: 'lg' } as const;

export function Shell() {
  const me = useMeQuery();
  if (me.data?.needsTwoFactor === true) leaveFor('/two-factor');
  if (me.data !== undefined && !me.data.needsTwoFactor) return <Frame me={me.data} />;
  if (me.error !== null) return <FailureState error={me.error} onRetry={() => void me.refetch()} />;
  return <FrameSkeleton />;
}

function Frame({ me }: { readonly me: Me }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const { skip } = useWords(WORDS);
  const here = useScope();
  const scope = here ?? lastScope(me);
  useEffect(() => {
    if (here !== null) rememberScope(here);
  }, [here]);
  useMailLanguage(me);
  // On a phone the navigation covers the screen that was chosen.
  useEffect(close, [pathname, close]);
  return (
    <AppShell
      header={{ height: HEADER_PX }}
      navbar={{ width: SIDE_PX, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={PADDING}
    >
      <a className="skip" href="#main">
        {skip}
      </a>
      <AppShell.Header>
        <Header me={me} scope={scope} isOpen={isOpen} onToggle={toggle} />
      </AppShell.Header>
      <AppShell.Navbar p="xs" className={style['side'] ?? ''}>
        {scope !== null && <Navigation scope={scope} />}
      </AppShell.Navbar>
      <AppShell.Main id="main">
        <div className={style['content']}>
          <PlatformBanner me={me} scope={here} />
          <Permitted />
        </div>
      </AppShell.Main>
      {scope !== null && <Search scope={scope} />}
      <ConfirmationDialog />
    </AppShell>
  );
}

/** Mails are written in the language of the dashboard. */
function useMailLanguage({ language: known }: Me): void {
  const { language } = useLanguage();
  useEffect(() => {
    // The screen does not wait for it; the next visit tries again.
    if (language !== known)
      void api.PUT('/console/api/me/language', { body: { language } }).catch(() => undefined);
  }, [language, known]);
}

/** The screen, if the role permits it. The API refuses by itself; this only says so before anything is asked. */
function Permitted() {
  const scope = useScope();
  const matches = useMatches();
  const needs = matches.map(({ staticData }) => staticData.needs).filter((one) => one !== null);
  if (!needs.every((one) => scope?.permissions.includes(one))) return <NotPermitted />;
  if (scope?.type !== 'merchant') return <Outlet />;
  return (
    <TimeZoneProvider value={scope.timeZone}>
      <Outlet />
    </TimeZoneProvider>
  );
}

function FrameSkeleton() {
  return (
    <AppShell
      header={{ height: HEADER_PX }}
      navbar={{ width: SIDE_PX, breakpoint: 'sm', collapsed: { mobile: true } }}
      padding={PADDING}
    >
      <AppShell.Header />
      <AppShell.Navbar p="xs" className={style['side'] ?? ''} />
      <AppShell.Main aria-busy="true">
        <Stack gap="lg">
          <Skeleton height={28} width={180} />
          <Skeleton height={240} />
        </Stack>
      </AppShell.Main>
    </AppShell>
  );
}

const WORDS = words({ en: { skip: 'Skip to content' }, fr: { skip: 'Aller au contenu' } });
