// Texts of open problems. The server tells a code and its parameters; the words are here, in both languages.
import type { AnswerOf } from '../api/client.ts';
import { words } from '../language.tsx';

export type Problem = AnswerOf<'listProblems'>['problems'][number];

/** Names of what the parameters mention, in the reader's language. */
export type Named = {
  readonly provider: string;
  /** "Deposits, payouts". */
  readonly kinds: string;
  /** "Deposit". */
  readonly kind: string;
  readonly evidence: string;
  readonly merchant: string;
  /** "1,500 RWF". */
  readonly money: string;
  readonly minimum: string;
  readonly currency: string;
  readonly count: number;
  /** The first letters of a payment's identifier. */
  readonly payment: string;
  /** What holds payments: "Freeze". */
  readonly hold: string;
  readonly host: string;
  readonly part: string;
  /** Another cell of this installation. */
  readonly cell: string;
  /** "connector · account · secret". */
  readonly secret: string;
  readonly endsAt: string;
  readonly isManual: boolean;
  readonly isGone: boolean;
};

export type ProblemText = { readonly title: string; readonly detail: string };

type Texts = Readonly<Record<Problem['code'], (named: Named) => ProblemText>>;

const many = (count: number, one: string, other: string) => `${count} ${count === 1 ? one : other}`;

const EN: Texts = {
  WALLETS_UNBALANCED: ({ count }) => ({
    title: `${many(count, 'wallet does', 'wallets do')} not match the ledger`,
    detail: 'The balance is not the sum of the transfers. Stop payouts and investigate.',
  }),
  CURRENCIES_UNBALANCED: ({ count }) => ({
    title: `${many(count, 'currency does', 'currencies do')} not balance`,
    detail: 'Debits and credits differ. Stop payouts and investigate.',
  }),
  WALLETS_OVERDRAWN: ({ count }) => ({
    title: many(count, 'overdrawn wallet', 'overdrawn wallets'),
    detail: 'A wallet has less than zero available.',
  }),
  PAYMENTS_ORPHANED: ({ count }) => ({
    title: many(count, 'orphaned payment', 'orphaned payments'),
    detail: 'Open payments without a next task. Contact the maintainers.',
  }),
  MEASUREMENT_MISSING: ({ part }) => ({
    title: `No current data: ${part}`,
    detail: 'No worker is running, or it cannot reach the database.',
  }),
  PAYMENTS_OVERDUE: ({ count }) => ({
    title: many(count, 'overdue task', 'overdue tasks'),
    detail: 'Workers are missing or overloaded.',
  }),
  CALLBACKS_OVERDUE: () => ({
    title: 'Callbacks are overdue',
    detail: 'Workers are missing or overloaded.',
  }),
  PAYOUT_SPIKE: ({ merchant }) => ({
    title: `Unusual payouts: ${merchant}`,
    detail: 'Far more than in any hour of the last 35 days. Ask the merchant, or freeze its payments.',
  }),
  PROVIDER_CLOSED: ({ provider, kinds, isManual }) => ({
    title: `${provider} is closed`,
    detail: `${kinds} · ${isManual ? 'set manually' : 'set automatically'}`,
  }),
  FLOAT_LOW: ({ provider, money, minimum }) => ({
    title: `Low float: ${provider}`,
    detail: `${money} · minimum ${minimum}`,
  }),
  PROVIDER_DELAYED: ({ provider, kinds, isManual }) => ({
    title: `${provider} is delayed`,
    detail: `${kinds} · ${isManual ? 'set manually' : 'set automatically'}`,
  }),
  PAYMENT_UNRESOLVED: ({ kind, money, merchant, provider, payment }) => ({
    title: `${kind} with unknown outcome: ${money}`,
    detail: [merchant, provider, payment].join(' · '),
  }),
  CASE_OPEN: ({ evidence, merchant, kind, payment }) => ({
    title: `Open case: ${evidence}`,
    detail: [merchant, `${kind} ${payment}`].join(' · '),
  }),
  ENDPOINT_DISABLED: ({ host, merchant, kinds, isGone }) => ({
    title: `Callback endpoint disabled: ${host}`,
    detail: [merchant, kinds, isGone ? 'it answered 410 (gone)' : 'it failed for days'].join(' · '),
  }),
  ENDPOINT_FAILING: ({ host, merchant, kinds, count }) => ({
    title: `Callback endpoint failing: ${host}`,
    detail: [merchant, kinds, many(count, 'failed attempt', 'failed attempts')].join(' · '),
  }),
  ENDPOINTS_NOT_EMPTIED: ({ count }) => ({
    title: many(count, 'disabled endpoint', 'disabled endpoints'),
    detail: 'Callbacks are still queued for them.',
  }),
  PAYMENTS_QUEUED: ({ count, kind, provider }) => ({
    title: `Payments queued for ${provider}`,
    detail: `${kind} · ${count}`,
  }),
  PAYMENTS_HELD: ({ count, hold }) => ({
    title: `${many(count, 'payment', 'payments')} held for more than a day`,
    detail: hold,
  }),
  REVERSALS_UNHELD: () => ({
    title: 'Money at risk in a report is not held',
    detail:
      'A report waits for approval that says deposits were taken back, or failed payouts were paid. ' +
      'Approve or reject it.',
  }),
  REPORT_UNREQUESTED: () => ({
    title: 'Lines of a report wait, and nobody is asked to approve them',
    detail: 'A worker asks within minutes. Check the workers, or import any file of the provider.',
  }),
  DAY_NOT_CLOSED: ({ provider, currency }) => ({
    title: `Day not closed in time: ${provider} (${currency})`,
    detail: 'Upload the operator’s report. Two people sign the day.',
  }),
  FLOAT_UNKNOWN: ({ provider, minimum }) => ({
    title: `Operator balance unknown: ${provider}`,
    detail: `Minimum ${minimum}. Check the balance in the operator’s portal.`,
  }),
  EVENT_FEED_LATE: () => ({
    title: 'The event feed is late',
    detail: 'Merchants that follow it do not see new events. Check the workers.',
  }),
  TRANSACTIONS_UNCOMPARED: ({ cell }) => ({
    title: `Transactions not compared with cell ${cell}`,
    detail:
      'A transaction that completed payments in two cells would not be noticed. Check that its database answers.',
  }),
  BALANCES_IN_TRANSIT: ({ cell }) => ({
    title: `Balances have not arrived in cell ${cell}`,
    detail: 'They have left this cell, which ends. Check that the other cell’s database answers.',
  }),
  FOLLOW_UP_MISSING: () => ({
    title: 'A hold, callback or count is missing',
    detail: 'It could not be written with its payment. It is tried again every minute; see the workers’ log.',
  }),
  SUSPENSE_OLD: ({ provider }) => ({
    title: `Money in suspense: ${provider}`,
    detail: 'Resolve the cases that it belongs to.',
  }),
  SECRET_EXPIRES: ({ secret, endsAt }) => ({
    title: 'An operator secret expires',
    detail: `${secret} · ${endsAt}`,
  }),
  RECOVERY_OPEN: () => ({
    title: 'Recovery after a restore is not finished',
    detail: 'New payments are checked with operators first until it is.',
  }),
  AUDIT_UNCHAINED: () => ({
    title: 'The audit log’s hash chain is behind',
    detail: 'Entries wait to be chained.',
  }),
};

const FR: Texts = {
  WALLETS_UNBALANCED: ({ count }) => ({
    title: `${many(count, 'portefeuille ne correspond', 'portefeuilles ne correspondent')} pas à la comptabilité`,
    detail: 'Le solde n’est pas la somme des transferts. Arrêtez les versements et cherchez la cause.',
  }),
  CURRENCIES_UNBALANCED: ({ count }) => ({
    title: `${many(count, 'devise n’est', 'devises ne sont')} pas équilibrée${count === 1 ? '' : 's'}`,
    detail: 'Débits et crédits diffèrent. Arrêtez les versements et cherchez la cause.',
  }),
  WALLETS_OVERDRAWN: ({ count }) => ({
    title: many(count, 'portefeuille à découvert', 'portefeuilles à découvert'),
    detail: 'Un portefeuille a moins de zéro disponible.',
  }),
  PAYMENTS_ORPHANED: ({ count }) => ({
    title: many(count, 'paiement orphelin', 'paiements orphelins'),
    detail: 'Paiements ouverts sans prochaine tâche. Contactez les développeurs.',
  }),
  MEASUREMENT_MISSING: ({ part }) => ({
    title: `Pas de données récentes : ${part}`,
    detail: 'Aucun processus de travail ne tourne, ou il n’atteint pas la base de données.',
  }),
  PAYMENTS_OVERDUE: ({ count }) => ({
    title: many(count, 'tâche en retard', 'tâches en retard'),
    detail: 'Il manque des processus de travail, ou ils sont surchargés.',
  }),
  CALLBACKS_OVERDUE: () => ({
    title: 'Des callbacks sont en retard',
    detail: 'Il manque des processus de travail, ou ils sont surchargés.',
  }),
  PAYOUT_SPIKE: ({ merchant }) => ({
    title: `Versements inhabituels : ${merchant}`,
    detail:
      'Bien plus que dans toute heure des 35 derniers jours. Interrogez le marchand ou gelez ses paiements.',
  }),
  PROVIDER_CLOSED: ({ provider, kinds, isManual }) => ({
    title: `${provider} est fermé`,
    detail: `${kinds} · ${isManual ? 'réglé manuellement' : 'réglé automatiquement'}`,
  }),
  FLOAT_LOW: ({ provider, money, minimum }) => ({
    title: `Fonds trop bas : ${provider}`,
    detail: `${money} · minimum ${minimum}`,
  }),
  PROVIDER_DELAYED: ({ provider, kinds, isManual }) => ({
    title: `${provider} est retardé`,
    detail: `${kinds} · ${isManual ? 'réglé manuellement' : 'réglé automatiquement'}`,
  }),
  PAYMENT_UNRESOLVED: ({ kind, money, merchant, provider, payment }) => ({
    title: `${kind} à l’issue inconnue : ${money}`,
    detail: [merchant, provider, payment].join(' · '),
  }),
  CASE_OPEN: ({ evidence, merchant, kind, payment }) => ({
    title: `Dossier ouvert : ${evidence}`,
    detail: [merchant, `${kind} ${payment}`].join(' · '),
  }),
  ENDPOINT_DISABLED: ({ host, merchant, kinds, isGone }) => ({
    title: `Point d’accès des callbacks désactivé : ${host}`,
    detail: [merchant, kinds, isGone ? 'a répondu 410 (disparu)' : 'en échec depuis des jours'].join(' · '),
  }),
  ENDPOINT_FAILING: ({ host, merchant, kinds, count }) => ({
    title: `Point d’accès des callbacks en échec : ${host}`,
    detail: [merchant, kinds, many(count, 'tentative échouée', 'tentatives échouées')].join(' · '),
  }),
  ENDPOINTS_NOT_EMPTIED: ({ count }) => ({
    title: many(count, 'point d’accès désactivé', 'points d’accès désactivés'),
    detail: 'Des callbacks y sont encore en file.',
  }),
  PAYMENTS_QUEUED: ({ count, kind, provider }) => ({
    title: `Paiements en file pour ${provider}`,
    detail: `${kind} · ${count}`,
  }),
  PAYMENTS_HELD: ({ count, hold }) => ({
    title: many(count, 'paiement retenu depuis plus d’un jour', 'paiements retenus depuis plus d’un jour'),
    detail: hold,
  }),
  REVERSALS_UNHELD: () => ({
    title: 'Des fonds en jeu dans un relevé ne sont pas retenus',
    detail:
      'Un relevé qui signale des encaissements annulés, ou des versements échoués mais payés, attend une ' +
      'approbation. Approuvez-le ou refusez-le.',
  }),
  REPORT_UNREQUESTED: () => ({
    title: 'Des lignes d’un relevé attendent sans qu’une approbation soit demandée',
    detail:
      'Un worker la demande en quelques minutes. Vérifiez les workers, ou importez un fichier du fournisseur.',
  }),
  DAY_NOT_CLOSED: ({ provider, currency }) => ({
    title: `Journée non clôturée à temps : ${provider} (${currency})`,
    detail: 'Importez le relevé de l’opérateur. Deux personnes signent la journée.',
  }),
  FLOAT_UNKNOWN: ({ provider, minimum }) => ({
    title: `Solde opérateur inconnu : ${provider}`,
    detail: `Minimum ${minimum}. Vérifiez le solde sur le portail de l’opérateur.`,
  }),
  EVENT_FEED_LATE: () => ({
    title: 'Le flux d’événements est en retard',
    detail: 'Les marchands qui le suivent ne voient pas les nouveaux événements. Vérifiez les workers.',
  }),
  TRANSACTIONS_UNCOMPARED: ({ cell }) => ({
    title: `Transactions non comparées avec la cellule ${cell}`,
    detail:
      'Une transaction qui a terminé des paiements dans deux cellules passerait inaperçue. Vérifiez que sa base ' +
      'de données répond.',
  }),
  BALANCES_IN_TRANSIT: ({ cell }) => ({
    title: `Des soldes ne sont pas arrivés dans la cellule ${cell}`,
    detail:
      'Ils ont quitté cette cellule, qui prend fin. Vérifiez que la base de données de l’autre cellule répond.',
  }),
  FOLLOW_UP_MISSING: () => ({
    title: 'Il manque une retenue, un callback ou un décompte',
    detail:
      'Écriture impossible avec le paiement. Nouvel essai chaque minute ; voyez le journal des workers.',
  }),
  SUSPENSE_OLD: ({ provider }) => ({
    title: `Argent en attente d’affectation : ${provider}`,
    detail: 'Résolvez les dossiers dont il dépend.',
  }),
  SECRET_EXPIRES: ({ secret, endsAt }) => ({
    title: 'Un secret d’opérateur expire',
    detail: `${secret} · ${endsAt}`,
  }),
  RECOVERY_OPEN: () => ({
    title: 'La reprise après restauration n’est pas terminée',
    detail: 'D’ici là, chaque nouveau paiement est d’abord vérifié auprès de l’opérateur.',
  }),
  AUDIT_UNCHAINED: () => ({
    title: 'La chaîne du journal d’audit est en retard',
    detail: 'Des entrées attendent d’y être ajoutées.',
  }),
};

export const PROBLEM_WORDS = words<Texts>({ en: EN, fr: FR });

/** What monitors measure, in parts. */
export const MONITOR_PART_WORDS = words({
  en: { flow: 'Payments, cases and callbacks', float: 'Float at operators', books: 'Ledger' },
  fr: {
    flow: 'Paiements, dossiers et callbacks',
    float: 'Fonds chez les opérateurs',
    books: 'Comptabilité',
  },
});
