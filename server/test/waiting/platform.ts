// What people of the platform or of a merchant have stopped, invited or replaced, and others end again.
import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { LEAD_MIN_MS } from '../../src/core/access/signing-keys.ts';
import { replaceDataKey, REST_MS } from '../../src/core/encryption/replace-data-key.ts';
import { changeCredentials, listAccounts } from '../../src/core/operators/administer-operators.ts';
import { beginRecovery } from '../../src/core/recovery/recover.ts';
import type { FreezeScope } from '../../src/domain/limits/freeze.ts';
import { setAvailability } from '../../src/store/operators/availability.ts';
import { approvalIn, at } from '../console/asked.ts';
import { signedIn } from '../console/people.ts';
import { nowOf } from '../clocks.ts';
import { select } from '../gateway.ts';
import type { Way, Ways } from './ways.ts';
import { act, decideForPlatform, newMerchant, runCommand, type World } from './world.ts';

const PROVIDER = 'MTN_MOMO_RWA';

const frozen = (scope: FreezeScope, subjectOf: (world: World) => object): Way<World> => ({
  make: async (world) => {
    const { gateway, ana, ben } = world;
    await act(ana, 'POST', 'api/host/freezes', { scope, reason: 'stolen', ...subjectOf(world) });
    return async () => {
      const { freezes } = await act(ana, 'GET', 'api/host/freezes');
      const { freezeId } = freezes.find((one: { readonly scope: string }) => one.scope === scope);
      await act(ana, 'POST', `api/host/freezes/${freezeId}/lift`, { reason: 'found again' });
      await decideForPlatform(world, ben, await approvalIn(gateway, ana, 'FREEZE_LIFT'));
    };
  },
});

const setByHand = ({ ana }: World, status: string) =>
  act(ana, 'PUT', `api/host/providers/${PROVIDER}/PAYOUT/availability`, { status });

const unavailable = (status: 'DELAYED' | 'CLOSED'): Way<World> => ({
  make: async (world) => {
    await setByHand(world, status);
    return () => setByHand(world, 'OPERATIONAL');
  },
});

const DARAJA = { by: 'Ana', connector: 'mpesa-daraja', account: 'MPESA_KEN', product: 'default' } as const;

/** The database was restored, and somebody says that nothing lost is awaited any more. */
const restored: Way<World> = {
  make: async (world) => {
    await beginRecovery(world.gateway.engine, { by: 'Ana', lostFrom: new Date('2026-01-01T00:00:00Z') });
    return () => runCommand(world, 'recovery', 'end', '--unasked-too', '--by', 'Ana');
  },
};

export const PLATFORM_WAYS: Ways<World> = {
  'merchants.suspended_at set': {
    make: async (world) => {
      const path = `api/host/merchants/${await newMerchant(world)}/suspension`;
      await act(world.ana, 'PUT', path, { isSuspended: true });
      return async () => {
        await act(world.ana, 'PUT', path, { isSuspended: false });
        const { gateway, ana, ben } = world;
        await decideForPlatform(world, ben, await approvalIn(gateway, ana, 'MERCHANT_RESUME'));
      };
    },
  },
  'merchants.data_keys_changed_at set': {
    make: async (world) => {
      const { engine, gateway } = world.gateway;
      const merchantId = await newMerchant(world);
      const run = replaceDataKey(engine, { by: 'Ana', merchantId, onProgress: () => undefined });
      // It waits until every process must have read the keys.
      const isOver = () => Promise.race([run.then(() => true), pause(300, false)]);
      while (!(await isOver())) await gateway.movableClock!.move(LEAD_MIN_MS);
      return async () => {
        await gateway.movableClock!.move(REST_MS);
        await runCommand(world, 'data-key', 'destroy', '--merchant', merchantId, '--by', 'Ana');
      };
    },
  },
  'freezes.scope MERCHANT': frozen('MERCHANT', ({ gateway }) => ({ subject: gateway.merchantId })),
  'freezes.scope TOKEN': frozen('TOKEN', ({ gateway }) => ({ subject: gateway.apiToken.split('_')[3] })),
  'freezes.scope NUMBER': frozen('NUMBER', () => ({ phoneNumber: '250783000007' })),
  'freezes.scope PROVIDER': frozen('PROVIDER', () => ({ subject: PROVIDER })),
  'freezes.scope ALL': frozen('ALL', () => ({})),
  'listed_numbers.list BLOCKED': {
    make: async (world) => {
      const { gateway, ana, ben } = world;
      const entry = { list: 'BLOCKED', phoneNumber: '250783000008', reason: 'stolen' };
      await act(ana, 'POST', 'api/host/listed-numbers', entry);
      const [row] = await select(gateway, `select entry_id from listed_numbers where list = 'BLOCKED'`);
      return async () => {
        const path = `api/host/listed-numbers/${row?.['entry_id']}/remove`;
        await act(ana, 'POST', path, {});
        await decideForPlatform(world, ben, await approvalIn(gateway, ana, 'NUMBER_LIST'));
      };
    },
  },
  'provider_availability.status DELAYED': unavailable('DELAYED'),
  'provider_availability.status CLOSED': unavailable('CLOSED'),
  'provider_availability.set_by HAND': unavailable('CLOSED'),
  'provider_availability.set_by MEASURED': {
    make: async (world) => {
      const { engine } = world.gateway;
      const measured = { status: 'DELAYED', setBy: 'MEASURED', now: nowOf(engine) } as const;
      const operation = { provider: PROVIDER, operation: 'PAYOUT' } as const;
      await setAvailability(engine.store.database, { ...operation, ...measured });
      return () => setByHand(world, 'OPERATIONAL');
    },
  },
  'replaced_credentials.retired_at null': {
    make: async (world) => {
      const { engine, gateway } = world.gateway;
      const fields = { baseUrl: world.gateway.url, consumerKey: 'k', consumerSecret: 's' };
      for (const shortCode of ['600100', '600200'])
        await changeCredentials(engine, { ...DARAJA, values: { ...fields, shortCode } });
      return async () => {
        await gateway.movableClock!.move(61_000);
        const replaced = (await listAccounts(engine)).find(({ status }) => status !== 'CURRENT');
        const names = ['--connector', DARAJA.connector, '--account-id', replaced?.accountId ?? ''];
        await runCommand(world, 'operator-account', 'retire', ...names, '--by', 'Ana');
      };
    },
  },
  'recoveries.asked_at null': restored,
  'recoveries.ended_at null': restored,
  'invitations.ended_at null': {
    make: async ({ gateway, owner }) => {
      const invited = { email: `${randomUUID()}@shop.example`, role: 'SUPPORT' };
      await act(owner, 'POST', at(gateway, 'team/invitations'), invited);
      const text = 'select invitation_id from invitations where email = $1';
      const [row] = await select(gateway, text, [invited.email]);
      return () => act(owner, 'DELETE', at(gateway, `team/invitations/${row?.['invitation_id']}`));
    },
  },
  'people_two_factors.locked_until set': {
    make: async (world) => {
      const { personId, email } = await signedIn(world.gateway, 'SUPPORT');
      await select(
        world.gateway,
        `insert into people_two_factors (id, person_id, secret, backup_codes, verified, failed_count, locked_until)
         values ($1, $1, '', '', true, 5, now() + interval '1 hour')`,
        [personId],
      );
      await select(world.gateway, 'update people set has_two_factor = true where id = $1', [personId]);
      return () => runCommand(world, 'person', 'remove-two-factor', '--email', email, '--by', 'Ana');
    },
  },
};
