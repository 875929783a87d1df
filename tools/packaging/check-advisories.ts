// Known vulnerabilities of the packages that ship, from `npm audit --json`.
import { isFor, type AcceptedFaults } from './check-lock.ts';

export type AdvisoryReport =
  | { readonly type: 'JUDGED'; readonly faults: readonly string[] }
  /** Some registry mirrors have packages only, without advisories. */
  | { readonly type: 'NOT_ANSWERED'; readonly cause: string };

type Weakness = {
  readonly name: string;
  readonly severity: string;
  readonly title: string;
  readonly url: string;
};

type Report = {
  readonly message?: string;
  readonly auditReportVersion?: number;
  /** `via` names a package if the vulnerability is in a dependency, which has its own entry. */
  readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly (string | Weakness)[] }>>;
};

const GRAVE = ['high', 'critical'];

export function checkAdvisories(
  answer: string,
  { advisories }: Pick<AcceptedFaults, 'advisories'>,
): AdvisoryReport {
  const report = parseReport(answer);
  if (report.auditReportVersion !== 2 || report.vulnerabilities === undefined)
    return { type: 'NOT_ANSWERED', cause: report.message ?? 'it gave no report' };
  const weaknesses = Object.values(report.vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((one) => typeof one !== 'string')
    .filter(({ severity }) => GRAVE.includes(severity));
  const open = weaknesses.filter(
    ({ name, url }) => !advisories.some((one) => url.endsWith(`/${one.advisory}`) && isFor(one, name)),
  );
  const faults = open.map(
    ({ name, severity, title, url }) => `${name} has a ${severity} weakness: ${title}, ${url}`,
  );
  return { type: 'JUDGED', faults: [...new Set(faults)] };
}

function parseReport(answer: string): Report {
  try {
    return JSON.parse(answer) as Report;
  } catch {
    return {};
  }
}
