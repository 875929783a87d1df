// The engine of a process: the plain list of the parts that the core works with.
import { createHostGuard } from '../../callbacks/outgoing-guard.ts';
import type { Config } from '../../config.ts';
import { createAuthFailureLimiter } from '../../core/access/auth-failure-limit.ts';
import { createClientAddresses } from '../../core/access/client-address.ts';
import { deriveLinkKeys } from '../../core/access/link-keys.ts';
import { createRateLimiter } from '../../core/access/rate-limit.ts';
import { createSigningKeys } from '../../core/access/signing-keys.ts';
import { createDirectory } from '../../core/cells/directory.ts';
import type { Engine } from '../../core/engine.ts';
import { createRiskLog } from '../../core/limits/risk-log.ts';
import { createCallMeter } from '../../core/operators/call-meter.ts';
import { createOperatorSources } from '../../core/operators/operator-sources.ts';
import { createBacklog } from '../../core/payments/accept/backlog.ts';
import { DOUBTFUL_SAMPLE, DOUBTFUL_SENDERS } from '../../core/payments/notifications/limit-notifications.ts';
import { listBlind } from '../../core/payments/process/hold-after-restore.ts';
import { listDefaultLimits } from '../../domain/limits/default-limits.ts';
import { DueFloors } from '../../store/payments/due-floors.ts';
import { countWaitingSubmits } from '../../store/payments/due-steps.ts';
import { APPROVAL_EXECUTORS } from './approval-executors.ts';
import { wallClock } from './clock.ts';
import { createConnectorOf } from './connector-of.ts';

/** So many are counted within milliseconds. Where more wait, their number is extrapolated. */
const SUBMITS_COUNTED_MAX = 10_000;

/** What is opened, and closed again, outside the engine. */
type Opened = Pick<
  Engine,
  | 'store'
  | 'keyAccess'
  | 'clock'
  | 'clockCheck'
  | 'connectors'
  | 'cellAssignments'
  | 'forwarder'
  | 'cells'
  | 'databaseOf'
  | 'directoryCell'
  | 'wake'
  | 'observer'
  | 'tracer'
  | 'traceIdOf'
>;

/** All but the address where operators call, which is known once a process listens. */
export function composeEngine(config: Config, opened: Opened): Omit<Engine, 'operatorsUrl'> {
  const { store, clock, connectors } = opened;
  const { database } = store;
  const { directoryRememberMs: rememberMs, keys, operators } = config;
  const connectorOf = createConnectorOf(connectors, operators.bindings);
  const defaultLimits = listDefaultLimits(config.tokenLimits);
  const defaultReviewRules = config.reviewRules;
  const blind = listBlind(connectors, connectorOf);
  const directory = createDirectory(database, {
    rememberMs,
    hasOtherCells: opened.cells.length > 1,
    blind,
    defaultLimits,
    defaultReviewRules,
  });
  const signers = { store, clock, directory: opened.databaseOf(opened.directoryCell) };
  const submitFloors = new DueFloors();
  return {
    ...opened,
    environment: config.environment,
    approvals: APPROVAL_EXECUTORS,
    home: config.cell.id,
    wallClock,
    directory,
    defaultLimits,
    defaultReviewRules,
    bankCoolingOffMs: config.bankCoolingOffMs,
    riskLog: createRiskLog(clock, opened.observer),
    rateLimiter: createRateLimiter(clock, config.rateLimit),
    ordersWaitingMax: config.ordersWaitingMax,
    backlog: createBacklog({
      clock,
      fromMs: config.backlogMs,
      look: (times) =>
        countWaitingSubmits(database, { ...times, countMax: SUBMITS_COUNTED_MAX, floors: submitFloors }),
      recovery: directory.recovery,
      isBudgeted: (provider, kind) =>
        connectors.get(connectorOf(provider, kind) ?? '')?.takeSlots !== undefined,
    }),
    authFailureLimiter: createAuthFailureLimiter(clock, config.authFailureLimit),
    pageLimiter: createRateLimiter(clock, config.pageLimit),
    promptLimits: config.promptLimits,
    clientAddresses: createClientAddresses(config.trustedProxies),
    operatorSources: createOperatorSources(config),
    doubtfulSample: createRateLimiter(clock, DOUBTFUL_SAMPLE),
    doubtfulSenders: createRateLimiter(clock, DOUBTFUL_SENDERS),
    signingKeys: createSigningKeys(signers, { ...config.signatures, rememberMs }),
    connectorOf,
    bindings: operators.bindings,
    referenceKey: keys.referenceKey,
    linkKeys: deriveLinkKeys(keys.linkKeys),
    publicUrl: config.publicUrl,
    v1Hosts: config.v1Hosts,
    outgoingGuard: createHostGuard(config.outgoingAllow, config.outgoingRules),
    callMeter: createCallMeter(),
  };
}
