import { words } from '../../language.tsx';

/** Words by codes of the API. A code that is missing is shown as it is. */
const byCode = (texts: Readonly<Record<string, string>>) => texts;

const attempted = (word: string, attemptNo: number) => (attemptNo === 1 ? '' : `, ${word} ${attemptNo}`);

export const TIMELINE_WORDS = words({
  en: {
    evidence: 'Operator response',
    exchange: (step: string) => `Operator call: ${step}`,
    steps: byCode({ submit: 'Request to operator', query: 'Status check with operator' }),
    texts: 'Request and response',
    moved: (from: string, to: string) => `Ledger: ${from} → ${to}`,
    float: (provider: string) => `${provider} float`,
    yourWallet: 'your wallet',
    wallet: 'merchant wallet',
    accounts: byCode({
      FEE: 'fees',
      RECEIVABLE: 'owed by merchant',
      CLEARING: 'bank clearing',
      SUSPENSE: 'suspense',
      ADJUSTMENT: 'adjustments',
      WRITE_OFF: 'write-offs',
      CHARGE: 'operator charges',
    }),
    transfers: { PENDING: 'Reserved', POSTED: 'Posted', VOIDED: 'Released' },
    contradicted: 'Operator reported a different result',
    open: 'Under investigation',
    resolved: 'Resolved',
    queued: 'Callback queued',
    retry: 'Next callback attempt',
    delivered: (result: string, attemptNo: number) =>
      `Callback delivered (${result})${attempted('attempt', attemptNo)}`,
    failed: (result: string, attemptNo: number) => `Callback failed (${result}), attempt ${attemptNo}`,
    body: 'Request body',
  },
  fr: {
    evidence: 'Réponse de l’opérateur',
    exchange: (step: string) => `Appel à l’opérateur : ${step}`,
    steps: byCode({ submit: 'Demande à l’opérateur', query: 'Vérification du statut chez l’opérateur' }),
    texts: 'Requête et réponse',
    moved: (from: string, to: string) => `Comptabilité : ${from} → ${to}`,
    float: (provider: string) => `fonds ${provider}`,
    yourWallet: 'votre portefeuille',
    wallet: 'portefeuille du marchand',
    accounts: byCode({
      FEE: 'frais',
      RECEIVABLE: 'dû par le marchand',
      CLEARING: 'compensation bancaire',
      SUSPENSE: 'compte d’attente',
      ADJUSTMENT: 'corrections',
      WRITE_OFF: 'pertes',
      CHARGE: 'frais de l’opérateur',
    }),
    transfers: { PENDING: 'Réservé', POSTED: 'Comptabilisé', VOIDED: 'Libéré' },
    contradicted: 'L’opérateur a signalé un autre résultat',
    open: 'En cours d’examen',
    resolved: 'Résolu',
    queued: 'Callback en file d’attente',
    retry: 'Prochaine tentative du callback',
    delivered: (result: string, attemptNo: number) =>
      `Callback livré (${result})${attempted('tentative', attemptNo)}`,
    failed: (result: string, attemptNo: number) => `Échec du callback (${result}), tentative ${attemptNo}`,
    body: 'Corps de la requête',
  },
});
