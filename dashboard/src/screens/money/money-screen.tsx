import { Group } from '@mantine/core';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { ApprovalTabs } from '../../parts/approval-list.tsx';
import { Page } from '../../parts/page.tsx';
import { FloatButton } from './float-button.tsx';
import { RequestButton } from './request-button.tsx';

const KINDS = ['MONEY', 'FLOAT'] as const;

export function MoneyScreen() {
  const said = useWords(WORDS);
  const { may } = useHost();
  return (
    <Page title={said.title} hint={said.hint} actions={may('money:move') && <Actions />}>
      <ApprovalTabs kinds={KINDS} />
    </Page>
  );
}

function Actions() {
  return (
    <Group gap="xs">
      <FloatButton />
      <RequestButton />
    </Group>
  );
}

const WORDS = words({
  en: {
    title: 'Manual transfers',
    hint: 'Top-ups, settlements and adjustments. Money moves when a second approver agrees.',
  },
  fr: {
    title: 'Transferts manuels',
    hint: 'Approvisionnements, règlements et corrections. L’argent bouge quand une seconde personne approuve.',
  },
});
