// What is tried with an operator account, in order. Each case says what it proves, what it lacks to be tried, and how
// it is tried. What an operator does not offer is not tried, and said so.
import type { CertificationNumbers } from '../../connectors/operator.ts';
import { factsOf } from '../../connectors/port.ts';
import { isOutgoing } from '../../domain/limits/freeze.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import { isAskable, type Trial } from './trial.ts';
import { tryBalance } from './balance.ts';
import { notTried, type Finding } from './finding.ts';
import {
  askUnknown,
  readForged,
  readHolder,
  readMessage,
  tryPayment,
  tryRefund,
  tryRefused,
  tryRepeat,
  tryStatus,
  tryUnanswered,
  unsentKind,
} from './tries.ts';

export type Case = {
  readonly name: string;
  readonly proves: string;
  /** Why it cannot be tried; null: it can. */
  readonly lacks: (trial: Trial) => string | null;
  readonly run: (trial: Trial) => Promise<Finding>;
};

export const CASES: readonly Case[] = [
  {
    name: 'balance',
    proves: 'the balance of the account can be read',
    lacks: ({ connector }) => (connector.balance === undefined ? NOT_OFFERED : null),
    run: tryBalance,
  },
  {
    name: 'account-holder',
    proves: 'the operator says who holds a number',
    lacks: (trial) => (trial.connector.holder === undefined ? NOT_OFFERED : lacksNumber('paying')(trial)),
    run: readHolder,
  },
  {
    name: 'unknown-reference',
    proves: 'a reference that was never sent is not taken for a payment',
    lacks: (trial) => (unsentKind(trial) === undefined ? 'the operator chooses every reference' : null),
    run: askUnknown,
  },
  payment('deposit', 'a deposit is completed with the amount that was asked for', 'DEPOSIT'),
  status('deposit'),
  duplicate('deposit'),
  {
    ...payment('deposit-refused', 'a refused deposit ends FAILED', 'DEPOSIT'),
    lacks: (trial) => lacksKind('DEPOSIT')(trial) ?? lacksNumber('refusing')(trial),
    run: (trial) => tryRefused(trial, 'deposit-refused', 'DEPOSIT'),
  },
  {
    ...payment('deposit-unanswered', 'a deposit is open while no one has answered, not FAILED', 'DEPOSIT'),
    lacks: (trial) => lacksKind('DEPOSIT')(trial) ?? lacksNumber('silent')(trial),
    run: tryUnanswered,
  },
  {
    name: 'notification',
    proves: "the operator's message about the deposit reaches us, and is read for what it is worth",
    lacks: (trial) => lacksMessages(trial) ?? lacksPayment('deposit')(trial),
    run: readMessage,
  },
  {
    name: 'notification-forged',
    proves: 'a message that was changed, or has no proof, moves no money',
    lacks: (trial) => lacksMessages(trial) ?? lacksPayment('deposit')(trial),
    run: readForged,
  },
  payment('payout', 'a payout is completed with the amount that was asked for', 'PAYOUT'),
  status('payout'),
  duplicate('payout'),
  {
    ...payment('payout-refused', 'a refused payout ends FAILED', 'PAYOUT'),
    lacks: (trial) => lacksKind('PAYOUT')(trial) ?? lacksNumber('refusing')(trial),
    run: (trial) => tryRefused(trial, 'payout-refused', 'PAYOUT'),
  },
  {
    name: 'refund',
    proves: 'a deposit is given back',
    lacks: (trial) => lacksKind('REFUND')(trial) ?? lacksPayment('deposit')(trial),
    run: tryRefund,
  },
  {
    name: 'remittance',
    proves: 'a remittance is completed',
    lacks: lacksKind('REMITTANCE'),
    run: async () => notTried('a remittance needs a real sender and recipient'),
  },
];

const NOT_OFFERED = 'the connector does not offer it';

function payment(name: string, proves: string, operation: PaymentKind): Case {
  return {
    name,
    proves,
    lacks: (trial) => lacksKind(operation)(trial) ?? lacksNumber('paying')(trial),
    run: (trial) => tryPayment(trial, name, operation),
  };
}

function status(of: 'deposit' | 'payout'): Case {
  return {
    name: `${of}-status`,
    proves: `an enquiry about the ${of} says the same`,
    lacks: (trial) => {
      const made = trial.payments.get(of);
      if (made?.outcome.type !== 'COMPLETED') return lacksPayment(of)(trial);
      return isAskable(trial.connector, made.attempt) ? null : NOT_OFFERED;
    },
    run: (trial) => tryStatus(trial, of),
  };
}

function duplicate(of: 'deposit' | 'payout'): Case {
  return {
    name: `${of}-repeated`,
    proves: `the same ${of} sent twice is one transaction, and where the balance can be read, one charge`,
    lacks: (trial) => {
      const kind = of === 'deposit' ? 'DEPOSIT' : 'PAYOUT';
      const { repeatedSubmit } = factsOf(trial.connector, kind);
      if (repeatedSubmit === 'CHARGES_AGAIN')
        return 'the operator charges a repeat again; the gateway sends none';
      return lacksKind(kind)(trial) ?? lacksPayment(of)(trial);
    },
    run: (trial) => tryRepeat(trial, of),
  };
}

function lacksKind(kind: PaymentKind): Case['lacks'] {
  return ({ connector, order, isFrozen }) => {
    const isOffered = connector.supports(kind, order.provider.code);
    if (!isOffered || (kind === 'REFUND' && connector.refund === undefined)) return NOT_OFFERED;
    if (!order.account.kinds.includes(kind)) return 'no credentials are set for it';
    return isFrozen && isOutgoing(kind) ? 'outgoing payments are frozen' : null;
  };
}

const NUMBER_OPTIONS: Readonly<Record<keyof CertificationNumbers, string>> = {
  paying: '--number',
  refusing: '--refusing-number',
  silent: '--silent-number',
};

function lacksNumber(name: keyof CertificationNumbers): Case['lacks'] {
  return ({ order }) => (order.numbers[name] === undefined ? `no ${NUMBER_OPTIONS[name]} was given` : null);
}

function lacksMessages({ connector, inbox }: Trial): string | null {
  if (connector.notifications === undefined) return NOT_OFFERED;
  return inbox === null ? 'no message can reach this command: use --listen' : null;
}

function lacksPayment(name: string): Case['lacks'] {
  return ({ payments }) =>
    payments.get(name)?.outcome.type === 'COMPLETED' ? null : `there is no completed ${name}`;
}
