import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';

type Health = AnswerOf<'readHealth'>;
type Monitor = Health['monitors'][number];
type Sample = Monitor['samples'][number];

export function HealthScreen() {
  const said = useWords(WORDS);
  const health = useQuery({ ...reading('/console/api/host/health', {}), refetchInterval: 15_000 });
  return (
    <Page title={said.title} hint={said.hint}>
      <Loaded query={health} skeleton={<Skeleton height={480} />}>
        {(data) => (
          <Stack gap="lg">
            <Verdict health={data} />
            {data.monitors.map((monitor) => (
              <Section
                key={monitor.part}
                title={said[monitor.part]}
                actions={
                  <StateBadge
                    state={monitor.isStale ? 'STALE' : 'FRESH'}
                    tone={monitor.isStale ? 'failure' : 'success'}
                  >
                    {monitor.ageSeconds === null
                      ? said.never
                      : said.measured(Math.max(0, Math.round(monitor.ageSeconds)))}
                  </StateBadge>
                }
              >
                <Samples samples={monitor.samples} label={said[monitor.part]} />
              </Section>
            ))}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Verdict({ health: { isSound, cell, environment } }: { readonly health: Health }) {
  const said = useWords(WORDS);
  return (
    <Alert
      variant="light"
      color={isSound ? 'teal' : 'red'}
      title={isSound ? said.sound : said.wrong}
      icon={<Icon name={isSound ? 'check' : 'trouble'} />}
    >
      <Text size="sm">{said.cell(cell, environment)}</Text>
    </Alert>
  );
}

function Samples({ samples, label }: { readonly samples: readonly Sample[]; readonly label: string }) {
  const said = useWords(WORDS);
  const { language } = useLanguage();
  const columns = useMemo((): readonly Column<Sample>[] => {
    const format = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
    return [
      {
        id: 'metric',
        header: said.what,
        isHeading: true,
        cell: ({ help, metric }) => (
          <Stack gap={0}>
            <span>{help}</span>
            <Text component="span" size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {metric}
            </Text>
          </Stack>
        ),
      },
      { id: 'labels', header: said.where, cell: ({ labels }) => Object.values(labels).join(' · ') },
      {
        id: 'value',
        header: said.value,
        align: 'end',
        cell: ({ value, isWrong }) => (
          <span className="figures">
            {format.format(value)}{' '}
            {isWrong && (
              <StateBadge state="WRONG" tone="failure">
                {said.mustBeZero}
              </StateBadge>
            )}
          </span>
        ),
      },
    ];
  }, [said, language]);
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={samples}
      rowKey={({ metric, labels }) => [metric, ...Object.values(labels)].join()}
      empty={<EmptyState icon="health" title={said.nothing} />}
    />
  );
}

const WORDS = words({
  en: {
    title: 'Health',
    hint: 'What monitors measured last. The same figures go to Prometheus.',
    sound: 'Everything is as it must be',
    wrong: 'Something is wrong',
    cell: (cell: string, environment: string) => `Cell ${cell}, ${environment}`,
    flow: 'Payments, cases and callbacks',
    float: 'Money at operators',
    books: 'The books',
    never: 'never measured: no worker runs',
    measured: (seconds: number) => `measured ${seconds} s ago`,
    what: 'What',
    where: 'Where',
    value: 'Value',
    mustBeZero: 'must be 0',
    nothing: 'Nothing was measured yet',
  },
  fr: {
    title: 'Santé',
    hint: 'Les dernières mesures des moniteurs. Prometheus reçoit les mêmes chiffres.',
    sound: 'Tout est comme il se doit',
    wrong: 'Quelque chose ne va pas',
    cell: (cell: string, environment: string) => `Cellule ${cell}, ${environment}`,
    flow: 'Paiements, litiges et rappels',
    float: 'Argent chez les opérateurs',
    books: 'Les livres',
    never: 'jamais mesuré : aucun processus ne tourne',
    measured: (seconds: number) => `mesuré il y a ${seconds} s`,
    what: 'Quoi',
    where: 'Où',
    value: 'Valeur',
    mustBeZero: 'doit être 0',
    nothing: 'Rien n’a encore été mesuré',
  },
});
