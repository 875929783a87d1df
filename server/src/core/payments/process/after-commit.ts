// What follows a commit of core/payments/process/advance: processes are woken, changes are counted and traced.
import type { StoredPayment } from '../../../store/payments/payments.ts';
import type { Change } from './decide.ts';
import type { Engine } from '../../engine.ts';
import { initiationSpan } from '../../tracer.ts';

/** After the commit: wakes the workers that have something to do at the time of the transaction, and counts. */
export function announce(engine: Engine, changes: ReadonlyMap<string, Change>, now: Date): void {
  let hasWork = false;
  for (const { payment, events, callbacks } of changes.values()) {
    for (const { fromState, toState, detail } of events) {
      hasWork ||= detail === 'REVIEW';
      // What waits for the screening service is not held by people yet.
      const isForPeople = detail === 'REVIEW' && payment.held === 'REVIEW';
      if (isForPeople || (detail === 'FROZEN' && fromState !== toState))
        engine.riskLog.note({ ...payment, event: 'PAYMENT_HELD', subject: detail });
      if (fromState !== toState) engine.observer.moved(payment.kind, toState);
    }
    hasWork ||= callbacks.length > 0 || (payment.nextActionAt !== null && payment.nextActionAt <= now);
  }
  if (hasWork) engine.wake();
}

/** Every event is a span, also one that left the state as it was. */
export function trace(
  engine: Pick<Engine, 'tracer'>,
  told: {
    readonly changes: ReadonlyMap<string, Change>;
    readonly begun: readonly StoredPayment[];
    readonly since: number;
  },
): void {
  const { since } = told;
  for (const { payment, events } of told.changes.values()) {
    for (const { event, fromState: stateBefore, toState: state, detail: outcome } of events) {
      const failureCode = state === 'FAILED' ? payment.failureCode : undefined;
      const attributes = { event, stateBefore, state, outcome, failureCode };
      engine.tracer.record({ key: payment, name: 'advance', since, attributes });
    }
  }
  for (const key of told.begun) {
    engine.tracer.record(initiationSpan(key, { type: 'ACCEPTED' }, since));
  }
}
