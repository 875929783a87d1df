// Gateways of tests under database roles with fewer rights, as `rights grant` makes them. `all` is one process under
// one role; `apart` is an API and a worker, each under its own. What a test itself does, it does as the owner. With
// MALIPO_TEST_ROLES every gateway runs so, which shows on any test whether a right is missing.
import { openGateway, type Gateway, type Role } from '../src/commands/serve/compose.ts';
import type { Config } from '../src/config.ts';
import type { Engine } from '../src/core/engine.ts';
import { installClockShift } from '../src/store/schema/clock-shift.ts';
import { openDatabase, type Database } from '../src/store/database.ts';
import { grantRights, RIGHTS_HOLDERS, type RightsHolder } from '../src/store/schema/rights.ts';
import { forbidToCreate } from '../src/store/schema/role-faults.ts';

export type TestRoles = 'all' | 'apart';

const WISHED = process.env['MALIPO_TEST_ROLES'] as TestRoles | undefined;

/** Opens the gateway a test speaks to, and behind it, once it is started, the worker of a pair. */
export async function openUnderRoles(config: Config, role: Role, roles = WISHED): Promise<Gateway> {
  if (roles === undefined) return openGateway(config, { role, logTo: 2 });
  const owner = openAs(config.directUrl ?? config.cell.databaseUrl);
  if (config.clockIsMovable) await installClockShift(owner);
  await prepareRoles(owner);
  const isPair = roles === 'apart' && role === 'all';
  const gateway = await openAlone(config, isPair ? 'api' : role);
  let worker: Gateway | undefined;
  return {
    ...gateway,
    engine: withDatabase(gateway.engine, owner),
    start: async () => {
      const listeners = await gateway.start();
      const { url } = listeners;
      if (isPair) {
        const operatorsUrl = config.operatorsUrl ?? url;
        worker = await openAlone({ ...config, operatorsUrl, port: 0 }, 'worker');
        await worker.start();
      }
      return listeners;
    },
    stop: async () => {
      await worker?.stop();
      await gateway.stop();
      await owner.end();
    },
  };
}

/** The database as a role with the rights of this holder sees it. */
export function urlUnder(databaseUrl: string, holder: RightsHolder): string {
  const url = new URL(databaseUrl);
  url.username = nameOf(holder);
  return url.href;
}

/** The address for a process that is not this one: as it is, unless roles are wished for. */
export function urlForProcess(databaseUrl: string, holder: RightsHolder): string {
  return WISHED === undefined ? databaseUrl : urlUnder(databaseUrl, holder);
}

/** Some of an engine is known only after the start, so what is read later must be read there. */
export function withDatabase(engine: Engine, database: Database): Engine {
  const databaseOf = (cell: string) => (cell === engine.home ? database : engine.databaseOf(cell));
  return Object.defineProperties({} as Engine, {
    ...Object.getOwnPropertyDescriptors(engine),
    store: { value: { ...engine.store, database }, enumerable: true },
    databaseOf: { value: databaseOf, enumerable: true },
  });
}

export function openAs(databaseUrl: string): Database {
  return openDatabase({ url: databaseUrl, connectionsMax: 5, applicationName: 'test' });
}

/** The other cells' databases too are met under this role. */
function openAlone(config: Config, role: Role): Promise<Gateway> {
  const holder = role === 'admin' ? 'all' : role;
  const under = (cell: Config['cell']) => ({ ...cell, databaseUrl: urlUnder(cell.databaseUrl, holder) });
  const cells = config.cells.map(under);
  const directUrl = config.directUrl === null ? null : urlUnder(config.directUrl, holder);
  return openGateway({ ...config, cell: under(config.cell), cells, directUrl }, { role, logTo: 2 });
}

function nameOf(holder: RightsHolder): string {
  return `lesser_${holder}`;
}

/** Roles are the cluster's: another test may have made them, or make them now. */
async function prepareRoles(owner: Database): Promise<void> {
  for (const holder of RIGHTS_HOLDERS) {
    const role = nameOf(holder);
    await owner.query(`do $$ begin create role ${role} login;
      exception when duplicate_object or unique_violation then null; end $$`);
    await forbidToCreate(owner, role);
    await grantRights(owner, role, holder);
  }
}
