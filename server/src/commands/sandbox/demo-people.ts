// The sandbox's people, one for each job. Their password is no secret: they look after play money.
import { acceptInvitation, invite } from '../../core/merchants/team.ts';
import { isHostRole, type Role } from '../../domain/merchants/roles.ts';
import type { ConsoleParts } from '../../edge/console/route.ts';
import { findPersonByEmail } from '../../store/merchants/people.ts';

export const DEMO_PASSWORD = 'sandbox password';

export const DEMO_PEOPLE: readonly { readonly email: string; readonly name: string; readonly role: Role }[] =
  [
    { email: 'owner@demo.example', name: 'Amina Owner', role: 'OWNER' },
    { email: 'finance@demo.example', name: 'Paul Finance', role: 'FINANCE' },
    { email: 'developer@demo.example', name: 'Grace Developer', role: 'DEVELOPER' },
    { email: 'support@demo.example', name: 'Moussa Support', role: 'SUPPORT' },
    { email: 'admin@demo.example', name: 'Esther Admin', role: 'OPERATOR_ADMIN' },
    // Money that is moved manually takes two.
    { email: 'second@demo.example', name: 'Joseph Second', role: 'OPERATOR_ADMIN' },
  ];

/** In a database that was kept they are there already; then they join this start's merchant too. */
export async function createDemoPeople(
  { engine, signIn }: ConsoleParts,
  { merchantId }: { readonly merchantId: string },
): Promise<void> {
  for (const { email, name, role } of DEMO_PEOPLE) {
    const known = await findPersonByEmail(engine.store.database, email);
    const { personId } = known ?? (await signIn.createPerson({ email, name, password: DEMO_PASSWORD }));
    const team = isHostRole(role) ? null : merchantId;
    const token = await invite(engine, { by: 'sandbox', merchantId: team, email, role });
    await acceptInvitation(engine, { token, personId, email });
  }
}
