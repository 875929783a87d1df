import { useWords, words } from '../../language.tsx';
import { StateBadge, type Tone } from '../../parts/state-badge.tsx';

type Status = 'OPEN' | 'REQUESTED' | 'CLOSED';

const TONES: Readonly<Record<Status, Tone>> = { OPEN: 'quiet', REQUESTED: 'info', CLOSED: 'success' };

/** Open, pending approval or signed; late where it should be signed by now. */
export function DayStatus({ status, isLate }: { readonly status: Status; readonly isLate: boolean }) {
  const t = useWords(WORDS);
  return (
    <>
      {(status !== 'OPEN' || !isLate) && (
        <StateBadge state={status} tone={TONES[status]}>
          {t[status]}
        </StateBadge>
      )}
      {isLate && (
        <StateBadge state="LATE" tone="failure">
          {t.LATE}
        </StateBadge>
      )}
    </>
  );
}

const WORDS = words({
  en: { OPEN: 'Open', REQUESTED: 'Pending approval', CLOSED: 'Signed', LATE: 'Late' },
  fr: { OPEN: 'Ouverte', REQUESTED: 'En attente d’approbation', CLOSED: 'Signée', LATE: 'En retard' },
});
