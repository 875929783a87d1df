import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { formatDuration } from '../../parts/duration.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { ProblemList } from '../../parts/problem-list.tsx';
import { MONITOR_PART_WORDS } from '../../parts/problem-words.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { CheckTable, type Monitor } from './check-table.tsx';

export function HealthScreen() {
  const t = useWords(WORDS);
  const parts = useWords(MONITOR_PART_WORDS);
  const health = useQuery({ ...reading('/console/api/host/health', {}), refetchInterval: 15_000 });
  return (
    <Page title={t.title} hint={t.hint}>
      <Loaded query={health} skeleton={<Skeleton height={480} />}>
        {(data) => (
          <Stack gap="lg">
            <ProblemList found={data} />
            <Text size="sm" c="dimmed">
              {t.cell(data.cell, t[data.environment])}
            </Text>
            {data.monitors.map((monitor) => (
              <Section
                key={monitor.part}
                title={parts[monitor.part]}
                actions={<Freshness monitor={monitor} />}
              >
                <CheckTable label={parts[monitor.part]} samples={monitor.samples} />
              </Section>
            ))}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Freshness({ monitor: { isStale, ageSeconds } }: { readonly monitor: Monitor }) {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  return (
    <StateBadge state={isStale ? 'STALE' : 'FRESH'} tone={isStale ? 'failure' : 'success'}>
      {ageSeconds === null
        ? t.never
        : t.measured(formatDuration(Math.max(0, Math.round(ageSeconds)), language))}
    </StateBadge>
  );
}

const WORDS = words({
  en: {
    title: 'Health',
    hint: 'Live checks, also exported to Prometheus.',
    cell: (cell: string, environment: string) => `Cell ${cell}, ${environment}`,
    sandbox: 'sandbox',
    production: 'production',
    never: 'No data: no worker is running',
    measured: (age: string) => `Checked ${age} ago`,
  },
  fr: {
    title: 'Santé',
    hint: 'Contrôles en direct, aussi exportés vers Prometheus.',
    cell: (cell: string, environment: string) => `Cellule ${cell}, ${environment}`,
    sandbox: 'bac à sable',
    production: 'production',
    never: 'Pas de données : aucun processus de travail ne tourne',
    measured: (age: string) => `Contrôlé il y a ${age}`,
  },
});
