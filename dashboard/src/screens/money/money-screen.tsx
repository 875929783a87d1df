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
    title: 'Move money',
    hint: 'Top-ups, settlements and corrections. One person requests, another approves; only then money moves.',
  },
  fr: {
    title: 'Mouvements manuels',
    hint:
      'Approvisionnements, règlements et corrections. L’un demande, l’autre approuve ; alors seulement ' +
      'l’argent bouge.',
  },
});
