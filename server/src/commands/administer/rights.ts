// The rights of the database roles that processes run under.
import { grantRightsTo } from '../../core/merchants/grant-rights.ts';
import { RIGHTS_HOLDERS } from '../../store/schema/rights.ts';
import type { RoleFault } from '../../store/schema/role-faults.ts';
import { gatewayCommand } from '../command.ts';
import { print, refuse } from '../output.ts';

export const rightsCommands = {
  'rights grant': gatewayCommand({
    usage: '--to ROLE [--for all] --by NAME',
    summary: 'give a database role the rights of its processes; as owner of the tables, after each migration',
    read: (options) => ({
      role: options.text('to'),
      holder: options.oneOf('for', RIGHTS_HOLDERS, 'all'),
      by: options.person(),
    }),
    run: async ({ engine }, order) => {
      const fault = await grantRightsTo(engine, order);
      if (fault === null) return print(`${order.role} has the rights that its processes need`);
      return refuse(explain(fault, order.role));
    },
  }),
};

function explain(fault: RoleFault, role: string): string {
  switch (fault) {
    case 'NOT_FOR_US':
      return 'Only the owner of the tables can grant rights: run this with the DATABASE_URL of the owner.';
    case 'UNKNOWN':
      return `There is no role ${role}. Create it first: createuser --pwprompt ${role}`;
    case 'OWNS_THE_TABLES':
      return `${role} owns the tables, or can become their owner. Use a role that cannot.`;
    case 'IS_A_MEMBER':
      return `${role} is a member of another role, and has its rights too. Use a role that is a member of none.`;
    case 'HAS_POWERS':
      return `${role} may create roles, replicate or disable triggers. Use a role without these attributes.`;
    case 'MAY_CREATE':
      return `${role} may create tables, which only the database's owner can forbid. Run this as that owner.`;
  }
}
