// Opens the sockets for callbacks. The address is checked where it is used: a literal address before connecting, a name
// in the same lookup that the socket uses, and the connected address again before any byte is sent.
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { createNameLookup } from './name-lookup.ts';
import { FORBIDDEN_ADDRESS, FORBIDDEN_PORT, portOf, type OutgoingGuard } from './outgoing-guard.ts';

export type GuardedConnectOptions = {
  readonly guard: OutgoingGuard;
  readonly timeoutMs: number;
  /** How names are looked up; default: the system's name servers. */
  readonly lookup?: LookupFunction;
};

export function createGuardedConnector(options: GuardedConnectOptions): buildConnector.connector {
  const { guard, timeoutMs } = options;
  const lookup = guardLookup(guard, options.lookup ?? createNameLookup({ timeoutMs }));
  const secure = buildConnector({ timeout: timeoutMs });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
    if (!guard.mayBeHost(host)) return callback(refusal(), null);
    const isSecure = target.protocol === 'https:';
    const port = portOf(target);
    if (!guard.mayUsePort(port)) return callback(portRefusal(), null);
    const socket = connect({ host, port, lookup, autoSelectFamily: true, noDelay: true, keepAlive: true });
    socket.setTimeout(timeoutMs, () => socket.destroy(timedOut()));
    socket.once('error', (error) => callback(error, null));
    socket.once('connect', () => {
      socket.setTimeout(0);
      if (!guard.mayConnectTo(socket.remoteAddress ?? '')) return void socket.destroy(refusal());
      handOver(socket);
    });
    const handOver = (connected: Socket) => {
      connected.removeAllListeners('error');
      if (!isSecure) return callback(null, connected);
      // The secure socket reports errors of the socket below it; without a listener here the process would end.
      connected.on('error', () => undefined);
      secure({ ...target, httpSocket: connected }, callback);
    };
  };
}

/** Filters forbidden addresses. The socket uses this result and does not look up again. */
function guardLookup(guard: OutgoingGuard, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const all = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      const permitted = all.filter(({ address }) => guard.mayConnectTo(address));
      const [first] = permitted;
      if (first === undefined) return callback(refusal(), []);
      return options.all === true ? callback(null, permitted) : callback(null, first.address, first.family);
    });
  };
}

function refusal(): NodeJS.ErrnoException {
  return Object.assign(new Error('the address may not be connected to'), { code: FORBIDDEN_ADDRESS });
}

function portRefusal(): NodeJS.ErrnoException {
  return Object.assign(new Error('the port may not be connected to'), { code: FORBIDDEN_PORT });
}

function timedOut(): NodeJS.ErrnoException {
  return Object.assign(new Error('the connection took too long'), { code: 'TIMEOUT' });
}
