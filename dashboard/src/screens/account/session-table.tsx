import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAct } from '../../api/acts.ts';
import { endOtherSessions, endSession, listSessions, type OpenSession } from '../../api/sign-in.ts';
import { useWords, words } from '../../language.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Time } from '../../parts/time.tsx';

export function SessionTable() {
  const said = useWords(WORDS);
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: listSessions });
  const endOthers = useAct({ act: endOtherSessions, done: said.othersEnded });
  const columns = useMemo(
    (): readonly Column<OpenSession>[] => [
      { id: 'browser', header: said.browser, isHeading: true, cell: ({ userAgent }) => browserOf(userAgent) },
      { id: 'address', header: said.address, cell: ({ ipAddress }) => ipAddress ?? '—' },
      { id: 'since', header: said.since, cell: ({ createdAt }) => <Time at={createdAt} /> },
      { id: 'acts', header: said.acts, isActions: true, cell: (session) => <EndButton session={session} /> },
    ],
    [said],
  );
  return (
    <Stack gap="xs">
      <DataTable
        label={said.sessions}
        columns={columns}
        rows={sessions.data}
        rowKey={({ id }) => id}
        skeletonRows={1}
        error={sessions.error}
        onRetry={() => void sessions.refetch()}
        empty={<EmptyState title={said.none} />}
      />
      <Group>
        <Button
          variant="default"
          size="xs"
          loading={endOthers.isPending}
          disabled={(sessions.data?.length ?? 0) < 2}
          onClick={() => endOthers.mutate(undefined)}
        >
          {said.endOthers}
        </Button>
      </Group>
    </Stack>
  );
}

function EndButton({ session }: { readonly session: OpenSession }) {
  const said = useWords(WORDS);
  const end = useAct({ act: endSession, done: said.ended });
  return (
    <Button variant="default" size="xs" loading={end.isPending} onClick={() => end.mutate(session.token)}>
      {said.end}
    </Button>
  );
}

const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'] as const;
const CALLED: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS': 'macOS' };

/** "Firefox, Windows": enough to know one's own machines apart. */
function browserOf(userAgent: string | null): string {
  const found = [BROWSERS, SYSTEMS].flatMap((names) => names.find((name) => userAgent?.includes(name)) ?? []);
  return found.length === 0 ? '—' : found.map((name) => CALLED[name] ?? name).join(', ');
}

const WORDS = words({
  en: {
    sessions: 'Sessions',
    browser: 'Browser',
    address: 'IP address',
    since: 'Signed in',
    acts: 'Actions',
    end: 'Sign out',
    ended: 'Session signed out.',
    endOthers: 'Sign out everywhere else',
    othersEnded: 'Signed out everywhere else.',
    none: 'No sessions',
  },
  fr: {
    sessions: 'Sessions',
    browser: 'Navigateur',
    address: 'Adresse IP',
    since: 'Connexion',
    acts: 'Actions',
    end: 'Déconnecter',
    ended: 'Session déconnectée.',
    endOthers: 'Déconnecter partout ailleurs',
    othersEnded: 'Déconnecté partout ailleurs.',
    none: 'Aucune session',
  },
});
