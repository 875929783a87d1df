import { Tabs } from '@mantine/core';
import { useWords, words } from '../../language.tsx';
import { Page } from '../../parts/page.tsx';
import { useTab } from '../../parts/tab.ts';
import { Freezes } from './freezes.tsx';
import { MerchantLimits } from './merchant-limits.tsx';
import { Numbers } from './numbers.tsx';

export function RiskScreen() {
  const t = useWords(WORDS);
  const [tab, setTab] = useTab(['freezes', 'numbers', 'limits']);
  return (
    <Page title={t.title} hint={t.hint}>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="freezes">{t.freezes}</Tabs.Tab>
          <Tabs.Tab value="numbers">{t.numbers}</Tabs.Tab>
          <Tabs.Tab value="limits">{t.limits}</Tabs.Tab>
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
  },
  fr: {
    title: 'Contrôle des risques',
    hint: 'Une personne arrête des paiements aussitôt. Il en faut deux pour les libérer.',
    freezes: 'Gels',
    numbers: 'Numéros',
    limits: 'Limites',
  },
});
