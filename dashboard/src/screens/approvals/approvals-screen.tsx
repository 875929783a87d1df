import { Tabs } from '@mantine/core';
import { useWords, words } from '../../language.tsx';
import { ApprovalList } from '../../parts/approval-list.tsx';
import { Page } from '../../parts/page.tsx';

export function ApprovalsScreen() {
  const said = useWords(WORDS);
  return (
    <Page title={said.title} hint={said.hint}>
      <Tabs defaultValue="OPEN" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="OPEN">{said.open}</Tabs.Tab>
          <Tabs.Tab value="DECIDED">{said.decided}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="OPEN">
          <ApprovalList status="OPEN" />
        </Tabs.Panel>
        <Tabs.Panel value="DECIDED">
          <ApprovalList status="DECIDED" />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

const WORDS = words({
  en: {
    title: 'Approvals',
    hint: 'What lets money out by the API, and who takes part in deciding: one person asks, another approves.',
    open: 'Waiting',
    decided: 'Decided',
  },
  fr: {
    title: 'Approbations',
    hint: 'Ce qui laisse sortir de l’argent par l’API, et qui décide : une personne demande, une autre approuve.',
    open: 'En attente',
    decided: 'Décidé',
  },
});
