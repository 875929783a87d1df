import { useNavigate, useSearch } from '@tanstack/react-router';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { Page } from '../../parts/page.tsx';
import { ExportButton } from './export-button.tsx';
import { PaymentList } from './payment-list.tsx';

/** The payments of all merchants, for the platform's people. */
export function AllPaymentsScreen() {
  const said = useWords(WORDS);
  const { mayReveal } = useHost();
  const filters = useSearch({ from: '/signed-in/host/payments' });
  const navigate = useNavigate();
  return (
    <Page
      title={said.title}
      hint={said.hint}
      actions={<ExportButton owner={null} filters={filters} mayReveal={mayReveal} />}
    >
      <PaymentList
        owner={null}
        filters={filters}
        onFilter={(search) => void navigate({ to: '/host/payments', search })}
      />
    </Page>
  );
}

const WORDS = words({
  en: { title: 'Payments', hint: 'Payments of all merchants.' },
  fr: { title: 'Paiements', hint: 'Paiements de tous les marchands.' },
});
