// What monitors measure, as lines of a table, and what each is called.
import type { AnswerOf } from '../../api/client.ts';
import { words } from '../../language.tsx';

type Sample = AnswerOf<'readHealth'>['monitors'][number]['samples'][number];

/** A measurement, with the age of the oldest where it has one. */
export type Check = Sample & { readonly seconds: number | null };

/** "malipo_cases_open" and "malipo_cases_open_seconds" of the same thing are one line. */
export function checksOf(samples: readonly Sample[]): readonly Check[] {
  const nameOf = ({ metric, labels }: Sample) => [metric, ...Object.values(labels)].join();
  const found = new Map(samples.map((one) => [nameOf(one), one]));
  const companionOf = (one: Sample) => found.get(nameOf({ ...one, metric: ageMetricOf(one.metric) }));
  const companions = new Set(samples.flatMap((one) => companionOf(one) ?? []));
  return samples
    .filter((one) => !companions.has(one))
    .map((one) => ({ ...one, seconds: companionOf(one)?.value ?? null }));
}

/** Amounts have an age of their own name. */
function ageMetricOf(metric: string): string {
  return metric.endsWith('_amount') ? metric.replace(/_amount$/, '_age_seconds') : `${metric}_seconds`;
}

export const CHECK_WORDS = words<Readonly<Record<string, string>>>({
  en: {
    malipo_clearing_amount: 'Bank clearing balance',
    malipo_suspense_amount: 'Suspense balance',
    malipo_payments_overdue: 'Due tasks',
    malipo_payments_without_step: 'Orphaned payments (expected: 0)',
    malipo_follow_ups_missing: 'Missing holds, callbacks and counts (expected: 0)',
    malipo_payments_enqueued: 'Queued payments',
    malipo_payments_held: 'Held payments',
    malipo_payments_in_reconciliation: 'Payments with unknown outcome',
    malipo_payout_spikes: 'Merchants with a payout spike',
    malipo_cases_open: 'Open cases',
    malipo_reversals_unheld: 'Lines of reports with money at risk and no hold',
    malipo_reports_unrequested: 'Reports whose lines wait without a request (expected: 0)',
    malipo_day_close_late_seconds: 'Day not closed in time',
    malipo_transactions_uncompared_seconds: 'Transactions not compared with another cell',
    malipo_cell_balances_in_transit_seconds: 'Balances on the way to another cell',
    malipo_recovery_open_seconds: 'Open recovery after a restore',
    malipo_operator_secret_expires_seconds: 'Operator secret expires in',
    malipo_endpoint_queues_pending: 'Endpoints with queued callbacks',
    malipo_endpoint_queues_failing: 'Endpoints failing',
    malipo_endpoint_queues_disabled: 'Disabled endpoints with queued callbacks (expected: 0)',
    malipo_callbacks_overdue_seconds: 'Most overdue callback',
    malipo_events_queued: 'Events not yet in the event feed',
    malipo_audit_unchained: 'Audit log entries not yet chained',
    malipo_database_bytes: 'Database size',
    malipo_database_sessions: 'Database sessions',
    malipo_database_commits: 'Committed transactions',
    malipo_database_rollbacks: 'Rolled-back transactions',
    malipo_database_blocks: 'Database blocks',
    malipo_database_rows_written: 'Rows written',
    malipo_wallets_overdrawn: 'Overdrawn wallets (expected: 0)',
    malipo_wallets_unbalanced: 'Wallets that differ from the ledger (expected: 0)',
    malipo_currencies_unbalanced: 'Unbalanced currencies (expected: 0)',
    malipo_float_operator_amount: 'Operator balance',
    malipo_float_books_amount: 'Our balance',
    malipo_float_difference_amount: 'Difference',
    malipo_float_in_flight_amount: 'Payments in progress',
    malipo_float_unexplained_amount: 'Unexplained difference',
    malipo_float_min_amount: 'Minimum',
  },
  fr: {
    malipo_clearing_amount: 'Solde de compensation bancaire',
    malipo_suspense_amount: 'Solde du compte d’attente',
    malipo_payments_overdue: 'Tâches à échéance',
    malipo_payments_without_step: 'Paiements orphelins (attendu : 0)',
    malipo_follow_ups_missing: 'Retenues, callbacks et décomptes manquants (attendu : 0)',
    malipo_payments_enqueued: 'Paiements en file',
    malipo_payments_held: 'Paiements retenus',
    malipo_payments_in_reconciliation: 'Paiements à l’issue inconnue',
    malipo_payout_spikes: 'Marchands aux versements inhabituels',
    malipo_cases_open: 'Dossiers ouverts',
    malipo_reversals_unheld: 'Lignes de relevés en jeu sans retenue',
    malipo_reports_unrequested: 'Relevés dont des lignes attendent sans demande (attendu : 0)',
    malipo_day_close_late_seconds: 'Journée non clôturée à temps',
    malipo_transactions_uncompared_seconds: 'Transactions non comparées avec une autre cellule',
    malipo_cell_balances_in_transit_seconds: 'Soldes en route vers une autre cellule',
    malipo_recovery_open_seconds: 'Reprise ouverte après une restauration',
    malipo_operator_secret_expires_seconds: 'Le secret d’opérateur expire dans',
    malipo_endpoint_queues_pending: 'Points d’accès avec des callbacks en file',
    malipo_endpoint_queues_failing: 'Points d’accès en échec',
    malipo_endpoint_queues_disabled: 'Points d’accès désactivés avec des callbacks en file (attendu : 0)',
    malipo_callbacks_overdue_seconds: 'Callback le plus en retard',
    malipo_events_queued: 'Événements pas encore dans le flux',
    malipo_audit_unchained: 'Entrées du journal d’audit pas encore chaînées',
    malipo_database_bytes: 'Taille de la base de données',
    malipo_database_sessions: 'Sessions de la base de données',
    malipo_database_commits: 'Transactions validées',
    malipo_database_rollbacks: 'Transactions annulées',
    malipo_database_blocks: 'Blocs de la base de données',
    malipo_database_rows_written: 'Lignes écrites',
    malipo_wallets_overdrawn: 'Portefeuilles à découvert (attendu : 0)',
    malipo_wallets_unbalanced: 'Portefeuilles qui diffèrent de la comptabilité (attendu : 0)',
    malipo_currencies_unbalanced: 'Devises non équilibrées (attendu : 0)',
    malipo_float_operator_amount: 'Solde opérateur',
    malipo_float_books_amount: 'Notre solde',
    malipo_float_difference_amount: 'Différence',
    malipo_float_in_flight_amount: 'Paiements en cours',
    malipo_float_unexplained_amount: 'Écart inexpliqué',
    malipo_float_min_amount: 'Minimum',
  },
});
