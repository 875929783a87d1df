import { useWords, words } from '../../language.tsx';
import { ApprovalTabs } from '../../parts/approval-list.tsx';
import { Page } from '../../parts/page.tsx';

export function ApprovalsScreen() {
  const said = useWords(WORDS);
  return (
    <Page title={said.title} hint={said.hint}>
      <ApprovalTabs />
    </Page>
  );
}

const WORDS = words({
  en: {
    title: 'Approvals',
    hint: 'What lets money out, and who takes part in deciding: one person requests, another approves.',
  },
  fr: {
    title: 'Approbations',
    hint: 'Ce qui laisse sortir de l’argent, et qui décide : une personne demande, une autre approuve.',
  },
});
