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
    hint:
      'Requests that need a second approver: payouts, API tokens that can send money, public keys and new ' +
      'approvers.',
  },
  fr: {
    title: 'Approbations',
    hint:
      'Demandes qui exigent une seconde personne : versements, jetons d’API autorisant des paiements sortants, clés ' +
      'publiques et nouveaux approbateurs.',
  },
});
