import { Alert, Anchor, List, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { formatDay } from '../../parts/days.ts';
import { Icon } from '../../parts/icon.tsx';
import { Money } from '../../parts/money.tsx';
import { Time } from '../../parts/time.tsx';
import { OBSTACLE_WORDS } from './close-words.ts';
import type { Close } from './day-screen.tsx';

type ObstaclesProps = { readonly close: Close };

/** Why a day stays open, each with what to do and where. */
export function Obstacles({ close }: ObstaclesProps) {
  const t = useWords(WORDS);
  const texts = useWords(OBSTACLE_WORDS);
  const { obstacles, passableObstacles } = close;
  if (obstacles.length === 0) return null;
  const isPassable = obstacles.length === passableObstacles.length;
  return (
    <Alert variant="default" icon={<Icon name="trouble" />} title={isPassable ? t.passable : t.open}>
      <List size="sm" spacing="xs">
        {obstacles.map((obstacle) => (
          <List.Item key={obstacle} style={{ overflowWrap: 'anywhere' }}>
            <Text size="sm">{texts[obstacle]}</Text>
            <Details close={close} obstacle={obstacle} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The day, the hours, the cells or the files that it is about. */
function Details({ close, obstacle }: ObstaclesProps & { readonly obstacle: Close['obstacles'][number] }) {
  const t = useWords(WORDS);
  const { comparableAt, firstDay, firstOpenDay, missingCells, gaps, openingChange, currency } = close;
  switch (obstacle) {
    case 'DAY_NOT_OVER':
      return comparableAt === null ? null : <Time at={comparableAt} isExact />;
    case 'BEFORE_FIRST_DAY':
      return (
        <Stack gap="xs" align="flex-start">
          <DayLink close={close} day={firstDay} />
          {close.lastDay === null && <BeginButton close={close} />}
        </Stack>
      );
    case 'PREVIOUS_DAY_OPEN':
      return firstOpenDay === null ? null : <DayLink close={close} day={firstOpenDay} />;
    case 'CELL_SILENT':
      return <>{missingCells.join(', ')}</>;
    case 'REPORT_MISSING':
      return (
        <Stack gap={2}>
          {gaps.map(({ from, to }) => (
            <span key={from}>
              <Time at={from} isExact isZoneNamed /> – <Time at={to} isExact />
            </span>
          ))}
          <FilesLink close={close}>{t.files}</FilesLink>
        </Stack>
      );
    case 'OPENING_DIFFERS':
      return (
        <Stack gap={2}>
          {openingChange !== null && <Money amount={openingChange} currency={currency} />}
          {close.lastDay !== null && <DayLink close={close} day={close.lastDay} />}
        </Stack>
      );
    case 'TOO_MANY_DIFFERENCES':
      return (
        <Stack gap={2}>
          {close.differencesByFile.map(({ fileHash, fileName, differenceCount }) => (
            <span key={fileHash}>
              {fileName ?? `SHA-256 ${fileHash.slice(0, 16)}…`}: {t.differences(differenceCount)}
            </span>
          ))}
          <FilesLink close={close}>{t.files}</FilesLink>
        </Stack>
      );
  }
}

/** Where the first day was chosen too late, and none is signed yet. */
function BeginButton({ close: { provider, currency, day } }: ObstaclesProps) {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  const { may } = useHost();
  const begin = useAct({
    act: () =>
      answer(
        api.POST('/console/api/host/daily-closes/{provider}/{currency}/first-day', {
          params: { path: { provider, currency } },
          body: { firstDay: day },
        }),
      ),
    done: t.requested,
  });
  if (!may('money:move')) return null;
  return (
    <ConfirmButton
      label={t.begin}
      isDangerous={false}
      isPending={begin.isPending}
      question={t.beginQuestion(formatDay(day, language))}
      onConfirm={() => begin.mutateAsync(undefined)}
    />
  );
}

function DayLink({ close: { provider, currency }, day }: ObstaclesProps & { readonly day: string }) {
  const { language } = useLanguage();
  return (
    <Anchor
      inherit
      renderRoot={(props) => (
        <Link
          {...props}
          to="/host/daily-close/$provider/$currency/$day"
          params={{ provider, currency, day }}
        />
      )}
    >
      {formatDay(day, language)}
    </Anchor>
  );
}

function FilesLink({
  close: { provider, currency },
  children,
}: ObstaclesProps & { readonly children: ReactNode }) {
  return (
    <Anchor
      inherit
      renderRoot={(props) => (
        <Link
          {...props}
          to="/host/daily-close/$provider/$currency"
          params={{ provider, currency }}
          search={{ tab: 'files' }}
        />
      )}
    >
      {children}
    </Anchor>
  );
}

const WORDS = words({
  en: {
    open: 'This day cannot be signed yet',
    passable: 'This day can be signed only with a note',
    files: 'Files',
    begin: 'Begin with this day',
    beginQuestion: (day: string) =>
      `The days of this account are then closed from ${day} on. Another person must approve.`,
    requested: 'Requested. Another person must approve.',
    differences: (count: number) => (count === 1 ? '1 difference' : `${count} differences`),
  },
  fr: {
    open: 'Cette journée ne peut pas encore être signée',
    passable: 'Cette journée ne peut être signée qu’avec une note',
    files: 'Fichiers',
    begin: 'Commencer par cette journée',
    beginQuestion: (day: string) =>
      `Les journées de ce compte sont alors clôturées à partir du ${day}. Une autre personne doit approuver.`,
    requested: 'Demandé. Une autre personne doit approuver.',
    differences: (count: number) => (count < 2 ? `${count} écart` : `${count} écarts`),
  },
});
