import { Tabs } from '@mantine/core';
import { useWords, words } from '../../language.tsx';
import { Page } from '../../parts/page.tsx';
import { useTab } from '../../parts/tab.ts';
import { Freezes } from './freezes.tsx';
import { Holds } from './holds.tsx';
import { MerchantLimits } from './merchant-limits.tsx';
import { Numbers } from './numbers.tsx';
import { ReviewRules } from './review-rules.tsx';
import { Reviews } from './reviews.tsx';
import { RiskEvents } from './risk-events.tsx';

export function RiskScreen() {
  const t = useWords(WORDS);
  const [tab, setTab] = useTab(['freezes', 'numbers', 'limits', 'reviews', 'rules', 'holds', 'events']);
  return (
    <Page title={t.title} hint={t.hint}>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="freezes">{t.freezes}</Tabs.Tab>
          <Tabs.Tab value="numbers">{t.numbers}</Tabs.Tab>
          <Tabs.Tab value="limits">{t.limits}</Tabs.Tab>
          <Tabs.Tab value="reviews">{t.reviews}</Tabs.Tab>
          <Tabs.Tab value="rules">{t.rules}</Tabs.Tab>
          <Tabs.Tab value="holds">{t.holds}</Tabs.Tab>
          <Tabs.Tab value="events">{t.events}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="freezes">
          <Freezes />
        </Tabs.Panel>
        <Tabs.Panel value="numbers">
          <Numbers />
        </Tabs.Panel>
        <Tabs.Panel value="limits">
          <MerchantLimits />
        </Tabs.Panel>
        <Tabs.Panel value="reviews">
          <Reviews />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <ReviewRules />
        </Tabs.Panel>
        <Tabs.Panel value="holds">
          <Holds />
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <RiskEvents />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

const WORDS = words({
  en: {
    title: 'Risk controls',
    hint: 'One person stops payments at once. Two people release them.',
    freezes: 'Freezes',
    numbers: 'Numbers',
    limits: 'Limits',
    reviews: 'Review queue',
    rules: 'Review rules',
    holds: 'Held',
    events: 'Events',
  },
  fr: {
    title: 'Contrôle des risques',
    hint: 'Une personne arrête des paiements aussitôt. Il en faut deux pour les libérer.',
    freezes: 'Gels',
    numbers: 'Numéros',
    limits: 'Limites',
    reviews: 'File de contrôle',
    rules: 'Règles de contrôle',
    holds: 'Retenus',
    events: 'Événements',
  },
});
