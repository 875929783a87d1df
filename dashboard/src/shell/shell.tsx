// The frame of every screen for people who are signed in: header, navigation, search, and the dialog that asks for the
// password once more.
import { AppShell, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { leaveFor } from '../api/leave.ts';
import { useWords, words } from '../language.tsx';
import { useMeQuery, useScope, type Me } from '../me.ts';
import { FailureState } from '../parts/failure-state.tsx';
import { ConfirmationDialog } from './confirmation-dialog.tsx';
import { Header } from './header.tsx';
import { lastScope, rememberScope } from './last-scope.ts';
import { Navigation } from './navigation.tsx';
import { NotPermitted } from './nowhere.tsx';
import { Search } from './search.tsx';

const HEADER_PX = 48;
const SIDE_PX = 216;

export function Shell() {
  const me = useMeQuery();
  if (me.data?.needsTwoFactor === true) leaveFor('/second-factor');
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
  // On a phone the navigation covers the screen: whoever chose something wants to see it.
  useEffect(close, [pathname, close]);
  return (
    <AppShell
      header={{ height: HEADER_PX }}
      navbar={{ width: SIDE_PX, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className="skip" href="#main">
        {skip}
      </a>
      <AppShell.Header>
        <Header me={me} scope={scope} isOpen={isOpen} onToggle={toggle} />
      </AppShell.Header>
      <AppShell.Navbar p="xs">{scope !== null && <Navigation scope={scope} />}</AppShell.Navbar>
      <AppShell.Main id="main">
        <Permitted />
      </AppShell.Main>
      {scope !== null && <Search scope={scope} />}
      <ConfirmationDialog />
    </AppShell>
  );
}

/** The screen, if the role permits it. The API refuses by itself; this only says so before anything is asked. */
function Permitted() {
  const scope = useScope();
  const matches = useMatches();
  const needs = matches.map(({ staticData }) => staticData.needs).filter((one) => one !== null);
  return needs.every((one) => scope?.permissions.includes(one)) ? <Outlet /> : <NotPermitted />;
}

function FrameSkeleton() {
  return (
    <AppShell
      header={{ height: HEADER_PX }}
      navbar={{ width: SIDE_PX, breakpoint: 'sm', collapsed: { mobile: true } }}
      padding="md"
    >
      <AppShell.Header />
      <AppShell.Navbar p="xs" />
      <AppShell.Main aria-busy="true">
        <Stack gap="lg">
          <Skeleton height={28} width={180} />
          <Skeleton height={240} />
        </Stack>
      </AppShell.Main>
    </AppShell>
  );
}

const WORDS = words({ en: { skip: 'Skip to the contents' }, fr: { skip: 'Aller au contenu' } });
