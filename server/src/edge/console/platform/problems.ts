// What is wrong now: the first thing that the platform's people see.
import type { FastifyInstance } from 'fastify';
import { readProblems, type Problems } from '../../../core/console/read-problems.ts';
import { placeOf, severityOf, type Problem } from '../../../domain/problem.ts';
import { problemCalls } from '../../../wire/console/platform/problem.ts';
import { show } from '../../../wire/console/show.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';
import { teamName } from '../sign-in/me.ts';

export function registerProblems(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-overview');
  const { engine, monitor } = parts;
  route('GET', '/host/problems', { for: 'HOST', permission: 'host:read' }, problemCalls.listProblems, {
    summary: 'Open problems, the most urgent first; none while all systems are operational',
    handle: async () => ({
      now: engine.clock.now().toISOString(),
      ...(await describeProblems(parts, await readProblems(engine, monitor))),
    }),
  });
}

export async function describeProblems(parts: ConsoleParts, { problems, omitted }: Problems) {
  return {
    problems: await Promise.all(problems.map((problem) => describeProblem(parts, problem))),
    omitted: omitted.map((one) => ({ ...one })),
  };
}

async function describeProblem(parts: ConsoleParts, problem: Problem) {
  const { code, parameters } = problem;
  const { merchantId } = parameters;
  const named = merchantId === undefined ? {} : { merchant: await teamName(parts, merchantId) };
  return {
    ...show(problem, 'code', 'since'),
    severity: severityOf(code),
    parameters: { ...parameters, ...named },
    fixedAt: placeOf(code),
  };
}
