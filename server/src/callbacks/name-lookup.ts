// Looks up the names of callback endpoints without the system's own lookup. That one blocks a thread while a name
// server is silent; there are four threads, so four such names would block all lookups.
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify, promisify } from 'node:util';

export type NameLookupOptions = {
  /** The time-out of a lookup. */
  readonly timeoutMs: number;
  /** Default: the system's name servers. */
  readonly nameServers?: readonly string[];
  readonly hostsFile?: string;
};

type Found = readonly LookupAddress[];

/**
 * Some name servers never answer for one address family. If the other family has an answer, wait no longer than this.
 */
const OTHER_KIND_MS = 500;

/** Concurrent lookups of one name share the answer; nothing is cached after that. */
export function createNameLookup(options: NameLookupOptions): LookupFunction {
  const inProgress = new Map<string, Promise<Found>>();
  const find = (name: string): Promise<Found> => {
    const known = inProgress.get(name);
    if (known !== undefined) return known;
    const found = lookUp(name, options).finally(() => inProgress.delete(name));
    inProgress.set(name, found);
    return found;
  };
  const findAndCall = callbackify(find);
  return (hostname, _, callback) => {
    findAndCall(hostname.toLowerCase(), (error, found) =>
      // The type promises a result, but there is none with an error.
      error === null ? callback(null, [...found]) : callback(error, []),
    );
  };
}

async function lookUp(name: string, options: NameLookupOptions): Promise<Found> {
  const listed = addressesIn(await readHosts(options.hostsFile ?? '/etc/hosts'), name);
  if (listed.length > 0) return listed;
  // Name servers are not asked for these; the system defines them.
  if (!name.includes('.') || name.endsWith('.localhost')) return promisify(systemLookup)(name, { all: true });
  return askNameServers(name, options);
}

async function readHosts(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    // Without the file there are no names in it.
    return '';
  }
}

function addressesIn(hosts: string, name: string): Found {
  const wanted = name.replace(/\.$/, '');
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(wanted) ? { address, family: isIP(address) } : [];
  });
}

/** Both address families at once. Each name has its own resolver, so that cancelling one does not cancel others. */
async function askNameServers(name: string, { timeoutMs, nameServers }: NameLookupOptions): Promise<Found> {
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 4), tries: 2 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const kinds = [resolver.resolve4(name), resolver.resolve6(name)];
  const end = setTimeout(() => resolver.cancel(), timeoutMs);
  let endForOther: NodeJS.Timeout | undefined;
  void Promise.any(kinds).then(
    () => (endForOther = setTimeout(() => resolver.cancel(), OTHER_KIND_MS)),
    () => undefined,
  );
  const answers = await Promise.allSettled(kinds);
  clearTimeout(end);
  clearTimeout(endForOther);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length === 0) throw whyNothing(answers);
  return found.map((address) => ({ address, family: isIP(address) }));
}

/** "No address of this family" says less than the error of the other family. */
function whyNothing(answers: readonly PromiseSettledResult<unknown>[]): NodeJS.ErrnoException {
  const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  const code = errors.map((error) => String(error.code)).find((one) => one !== 'ENODATA') ?? 'ENOTFOUND';
  const isSilence = code === 'ECANCELLED' || code === 'ETIMEOUT';
  return Object.assign(new Error('the name was not found'), { code: isSilence ? 'TIMEOUT' : code });
}
