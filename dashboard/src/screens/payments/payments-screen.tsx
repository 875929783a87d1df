import { useNavigate, useSearch } from '@tanstack/react-router';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { Page } from '../../parts/page.tsx';
import { ExportButton } from './export-button.tsx';
import { PaymentList } from './payment-list.tsx';

/** The payments of one merchant. */
export function PaymentsScreen() {
  const { title } = useWords(WORDS);
  const { merchantId, may } = useMerchant();
  const filters = useSearch({ from: '/signed-in/m/$merchantId/payments' });
  const navigate = useNavigate();
  return (
    <Page
      title={title}
      actions={<ExportButton owner={merchantId} filters={filters} mayReveal={may('payments:reveal')} />}
    >
      <PaymentList
        owner={merchantId}
        filters={filters}
        onFilter={(search) =>
          void navigate({ to: '/m/$merchantId/payments', params: { merchantId }, search })
        }
      />
    </Page>
  );
}

const WORDS = words({ en: { title: 'Payments' }, fr: { title: 'Paiements' } });
