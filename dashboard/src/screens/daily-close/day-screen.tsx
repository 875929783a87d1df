import { Anchor, Group, List, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { formatDay } from '../../parts/days.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { useNames } from '../../parts/names.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { DayFigures } from './day-figures.tsx';
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
    // The whole day is compared each time.
    refetchOnWindowFocus: false,
    staleTime: 60_000,
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
      <Loaded query={close} skeleton={<Skeleton height={320} />}>
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
            <Files close={data} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Files({ close: { files } }: { readonly close: Close }) {
  const t = useWords(WORDS);
  return (
    <Section title={t.files}>
      {files.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t.noFiles}
        </Text>
      ) : (
        <List size="sm">
          {files.map(({ source, fileHash, importedAt, faultCount }) => (
            <List.Item key={`${source} ${fileHash}`} style={{ overflowWrap: 'anywhere' }}>
              {t[source]}, <Time at={importedAt} isExact />, SHA-256 <span className="code">{fileHash}</span>
              {faultCount > 0 && `, ${t.unreadable(faultCount)}`}
            </List.Item>
          ))}
        </List>
      )}
    </Section>
  );
}

const WORDS = words({
  en: {
    due: 'Sign by',
    files: 'Files of this day',
    noFiles: 'No file was imported for this day.',
    OPERATOR: 'Operator report',
    BANK: 'Bank file',
    unreadable: (count: number) => `${count} ${count === 1 ? 'line' : 'lines'} not read`,
  },
  fr: {
    due: 'À signer avant',
    files: 'Fichiers de cette journée',
    noFiles: 'Aucun fichier n’a été importé pour cette journée.',
    OPERATOR: 'Relevé de l’opérateur',
    BANK: 'Fichier de la banque',
    unreadable: (count: number) => `${count} ${count < 2 ? 'ligne illisible' : 'lignes illisibles'}`,
  },
});
