import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { AnswerOf } from '../../api/client.ts';
import { Failure } from '../../api/failure.ts';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { formatDay } from '../../parts/days.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { useNames } from '../../parts/names.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { DayFigures } from './day-figures.tsx';
import { DayFiles } from './day-files.tsx';
import { DayStatus } from './day-status.tsx';
import { Differences } from './differences.tsx';
import { Obstacles } from './obstacles.tsx';
import { Reopened } from './reopened.tsx';
import { ExportDayButton, SignDay } from './sign-day.tsx';

export type Close = AnswerOf<'readClose'>;

/** A day: what both sides have, what differs, and the signatures. */
export function DayScreen() {
  const { provider = '', currency = '', day = '' } = useParams({ strict: false });
  const t = useWords(WORDS);
  const { language } = useLanguage();
  const names = useNames();
  const close = useQuery({
    ...reading('/console/api/host/daily-closes/{provider}/{currency}/days/{day}', {
      params: { path: { provider, currency, day } },
    }),
    refetchOnWindowFocus: false,
    staleTime: 60_000,
    refetchInterval: ({ state }) => (isBeingCompared(state.error) ? ASKED_EVERY_MS : false),
  });
  return (
    <Page
      title={formatDay(day, language)}
      hint={
        <Anchor
          inherit
          renderRoot={(props) => (
            <Link {...props} to="/host/daily-close/$provider/$currency" params={{ provider, currency }} />
          )}
        >
          {`${names.provider(provider)} (${currency})`}
        </Anchor>
      }
      actions={close.data !== undefined && <ExportDayButton close={close.data} />}
    >
      {isBeingCompared(close.error) && (
        <Text size="sm" c="dimmed" role="status" mb="sm">
          {t.comparing}
        </Text>
      )}
      <Loaded
        query={isBeingCompared(close.error) ? { ...close, error: null } : close}
        skeleton={<Skeleton height={320} />}
      >
        {(data) => (
          <Stack gap="lg">
            <Group gap={6}>
              <DayStatus status={data.status} isLate={data.isLate} />
              {data.status !== 'CLOSED' && (
                <Text size="sm" c="dimmed">
                  {t.due} <Time at={data.dueAt} isExact />
                </Text>
              )}
            </Group>
            <Obstacles close={data} />
            <Reopened close={data} />
            <DayFigures close={data} />
            <Differences close={data} />
            <SignDay close={data} />
            <DayFiles close={data} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

const ASKED_EVERY_MS = 3_000;

/** With very many lines that takes longer than a request should: it goes on, and the page asks again. */
function isBeingCompared(error: Error | null): boolean {
  return error instanceof Failure && error.reason?.code === 'CLOSE_BEING_COMPARED';
}

const WORDS = words({
  en: {
    due: 'Sign by',
    comparing: 'The day is being compared. With very many lines this takes up to a minute.',
  },
  fr: {
    due: 'À signer avant',
    comparing:
      'La journée est en cours de comparaison. Avec énormément de lignes, cela prend jusqu’à une minute.',
  },
});
