// Looks up the names callbacks are posted to without the system's own lookup. That one keeps a thread of the process
// for as long as a name server is silent; there are four of them, so four such names would hold up everybody's.
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify, promisify } from 'node:util';

export type NameLookupOptions = {
  /** A name that is not found by then is not found. */
  readonly timeoutMs: number;
  /** The system's unless told. */
  readonly nameServers?: readonly string[];
  readonly hostsFile?: string;
};

type Found = readonly LookupAddress[];

/** Some name servers never answer for one kind of address. Anyone who has the other kind waits no longer than this. */
const OTHER_KIND_MS = 500;

/** Those who ask for a name while it is being looked up share the answer; nothing is remembered beyond that. */
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
      // Typed as if there were always an answer, which there is not beside an error.
      error === null ? callback(null, [...found]) : callback(error, []),
    );
  };
}

async function lookUp(name: string, options: NameLookupOptions): Promise<Found> {
  const listed = addressesIn(await readHosts(options.hostsFile ?? '/etc/hosts'), name);
  if (listed.length > 0) return listed;
  // No merchant's name server is asked for these; what they mean is the system's own affair.
  if (!name.includes('.') || name.endsWith('.localhost')) return promisify(systemLookup)(name, { all: true });
  return askNameServers(name, options);
}

async function readHosts(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    // Without the file, no names are in it.
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

/** Both kinds of address at once. A resolver for each name, so that giving up on one gives up on no other. */
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

/** That there is no address of one kind says less than whatever was the outcome of the other. */
function whyNothing(answers: readonly PromiseSettledResult<unknown>[]): NodeJS.ErrnoException {
  const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  const code = errors.map((error) => String(error.code)).find((one) => one !== 'ENODATA') ?? 'ENOTFOUND';
  const isSilence = code === 'ECANCELLED' || code === 'ETIMEOUT';
  return Object.assign(new Error('the name was not found'), { code: isSilence ? 'TIMEOUT' : code });
}
