import { Tabs } from '@mantine/core';
import { useWords, words } from '../../language.tsx';
import { hostScope, useMe } from '../../me.ts';
import { badgeText, useBadges } from '../../parts/badges.ts';
import { Page } from '../../parts/page.tsx';
import { useTab } from '../../parts/tab.ts';
import { FailingEndpoints } from './failing-endpoints.tsx';
import { LostPayments } from './lost-payments.tsx';
import { OverdueTasks } from './overdue-tasks.tsx';
import { UnresolvedPayments } from './unresolved-payments.tsx';

export function IssuesScreen() {
  const t = useWords(WORDS);
  const [tab, setTab] = useTab(['payments', 'lost', 'overdue', 'endpoints']);
  const badges = useBadges(hostScope(useMe()));
  return (
    <Page title={t.title} hint={t.hint}>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="payments">{counted(t.payments, badges?.payments)}</Tabs.Tab>
          <Tabs.Tab value="lost">{t.lost}</Tabs.Tab>
          <Tabs.Tab value="overdue">{t.overdue}</Tabs.Tab>
          <Tabs.Tab value="endpoints">{counted(t.endpoints, badges?.endpoints)}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="payments">
          <UnresolvedPayments />
        </Tabs.Panel>
        <Tabs.Panel value="lost">
          <LostPayments />
        </Tabs.Panel>
        <Tabs.Panel value="overdue">
          <OverdueTasks />
        </Tabs.Panel>
        <Tabs.Panel value="endpoints">
          <FailingEndpoints />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function counted(label: string, count: number | null | undefined): string {
  const text = badgeText(count ?? 0);
  return text === null ? label : `${label} (${text})`;
}

const WORDS = words({
  en: {
    title: 'Unresolved payments',
    hint: 'Payments with unknown outcome, overdue tasks and failing callback (webhook) endpoints.',
    payments: 'Unknown outcome',
    lost: 'Lost payments',
    overdue: 'Overdue tasks',
    endpoints: 'Failing endpoints',
  },
  fr: {
    title: 'Paiements non résolus',
    hint: 'Paiements à l’issue inconnue, tâches en retard et points d’accès des callbacks (webhooks) en échec.',
    payments: 'Issue inconnue',
    lost: 'Paiements perdus',
    overdue: 'Tâches en retard',
    endpoints: 'Points d’accès en échec',
  },
});
