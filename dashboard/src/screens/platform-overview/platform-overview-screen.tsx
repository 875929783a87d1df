import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { ProblemList } from '../../parts/problem-list.tsx';
import { PaymentFigures } from './payment-figures.tsx';

/** A problem is seen as soon as monitors see it. */
const REFRESH_MS = 10_000;

export function PlatformOverviewScreen() {
  const t = useWords(WORDS);
  const problems = useQuery({ ...reading('/console/api/host/problems', {}), refetchInterval: REFRESH_MS });
  return (
    <Page title={t.title}>
      <Section title={t.problems}>
        <Loaded query={problems} skeleton={<Skeleton height={56} />}>
          {(found) => <ProblemList found={found} />}
        </Loaded>
      </Section>
      <PaymentFigures />
    </Page>
  );
}

const WORDS = words({
  en: { title: 'Overview', problems: 'Open problems' },
  fr: { title: 'Aperçu', problems: 'Problèmes ouverts' },
});
