// The scenarios of `malipo trigger`. Each is a payment in the sandbox with surrounding actions.

export type Scenario = {
  readonly name: string;
  /** What the user sees, in a sentence. */
  readonly summary: string;
  readonly kind: 'deposit' | 'payout';
  /** For the simulated operator: the outcome of the payment. */
  readonly script?: {
    readonly scenario: string;
    readonly failureCode?: string;
    readonly delaySeconds?: number;
  };
  /** The provider's status before; it is set back to OPERATIONAL afterwards. */
  readonly availability?: 'DELAYED' | 'CLOSED';
  /** When the payment is PROCESSING, the sandbox's clock is moved by these steps. */
  readonly clockSeconds?: readonly number[];
  /** What the user has to do. */
  readonly hint?: string;
};

const MINUTE = 60;

export const SCENARIOS: readonly Scenario[] = [
  { name: 'success', summary: 'The payer approves.', kind: 'deposit', script: { scenario: 'SUCCESS' } },
  failure('pin-declined', 'The payer does not enter the PIN.', 'deposit', 'PAYMENT_NOT_APPROVED'),
  failure('insufficient-balance', 'The payer does not have enough money.', 'deposit', 'INSUFFICIENT_BALANCE'),
  failure('payer-not-found', 'The number has no wallet.', 'deposit', 'PAYER_NOT_FOUND'),
  failure('payer-limit', 'The payer has reached a limit.', 'deposit', 'PAYER_LIMIT_REACHED'),
  {
    name: 'prompt',
    summary: 'You are the payer: the deposit waits until you answer its prompt on the test phone.',
    kind: 'deposit',
    script: { scenario: 'AWAIT_PROMPT' },
    hint: 'Answer the prompt in a browser',
  },
  {
    name: 'late-success',
    summary: 'The operator does not answer for 15 minutes, then reports success. The clock is moved.',
    kind: 'deposit',
    script: { scenario: 'LATE_SUCCESS', delaySeconds: 20 * MINUTE },
    clockSeconds: [16 * MINUTE, 5 * MINUTE],
  },
  scripted('doubled-notification', 'The operator notifies twice; you get one callback.'),
  scripted('missing-notification', 'The operator never notifies; the gateway asks for the status.'),
  scripted('forged-notification', 'The deposit fails, and an attacker sends a notification of success.'),
  scripted('lost-answer', 'The operator accepts the request, and its answer is lost.'),
  scripted('operator-error', 'The operator first answers 503.'),
  {
    name: 'payout-success',
    summary: 'A payout is completed.',
    kind: 'payout',
    script: { scenario: 'SUCCESS' },
  },
  failure('recipient-not-found', 'The number of a payout has no wallet.', 'payout', 'RECIPIENT_NOT_FOUND'),
  {
    name: 'provider-delayed',
    summary: 'The provider is unavailable: a payout is ENQUEUED, and sent when the provider is back.',
    kind: 'payout',
    availability: 'DELAYED',
  },
  {
    name: 'provider-closed',
    summary: 'The provider is closed: a payout is rejected.',
    kind: 'payout',
    availability: 'CLOSED',
  },
];

function failure(name: string, summary: string, kind: Scenario['kind'], failureCode: string): Scenario {
  return { name, summary, kind, script: { scenario: 'FAILURE', failureCode } };
}

/** Named as in the sandbox. */
function scripted(name: string, summary: string): Scenario {
  return { name, summary, kind: 'deposit', script: { scenario: name.toUpperCase().replaceAll('-', '_') } };
}
