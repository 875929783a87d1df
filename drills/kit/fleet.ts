// The processes of the gateway and the simulator: started, killed, stopped, skewed, and replaced by a newer build.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { Child } from './child.ts';
import type { Build } from './builds.ts';
import { isUp, runCommand, runEnvironment, SKEWED_CLOCK } from './processes.ts';
import type { Scratch } from './scratch.ts';
import type { Environment } from './settings.ts';

export type Victim = 'api' | 'worker' | 'simulator';

export type Member = { readonly name: string; readonly victim: Victim; readonly port: number };

type Post = Member & { child: Child | null; skewMs: number; isReplaced: boolean };

export type FleetOptions = {
  readonly scratch: Scratch;
  readonly build: Build;
  readonly members: readonly Member[];
  readonly serverEnvironment: Environment;
  readonly operatorArguments: (member: Member) => readonly string[];
};

const UP_WITHIN_MS = 60_000;
/** As the units of deploy/systemd give a process to end. */
const ENDS_WITHIN_MS = 45_000;

/** Two API processes, two workers, and the operators; API processes listen at the load balancer's ports. */
export async function nameMembers(operators: readonly string[]): Promise<readonly Member[]> {
  const names = ['api1', 'api2', 'worker1', 'worker2', ...operators];
  const members: Member[] = [];
  for (const name of names) {
    const [victim = 'simulator'] = (['api', 'worker'] as const).filter((kind) => name.startsWith(kind));
    members.push({ name, victim, port: await freePort() });
  }
  return members;
}

export class Fleet {
  readonly #options: FleetOptions;
  readonly #posts: readonly Post[];
  #build: Build;
  #isStopping = false;
  #replaced = 0;
  #forced = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#build = options.build;
    this.#posts = options.members.map((member) => ({ ...member, child: null, skewMs: 0, isReplaced: false }));
  }

  async start(hooks: ShutdownHooks): Promise<void> {
    hooks.add(async () => this.stop());
    for (const post of this.#posts) this.#start(post);
    await this.waitUntilUp();
  }

  /** The running ones of a kind. */
  running(victim: Victim): readonly Member[] {
    return this.#posts.filter((post) => post.victim === victim && post.child?.hasEnded === false);
  }

  async kill(name: string, awayMs: number): Promise<void> {
    const post = this.#post(name);
    await post.child?.end('SIGKILL');
    await sleep(awayMs);
    this.#start(post);
  }

  async pause(name: string, forMs: number): Promise<void> {
    const { child } = this.#post(name);
    child?.signal('SIGSTOP');
    await sleep(forMs);
    child?.signal('SIGCONT');
  }

  /** Replaces the process in an orderly way by one whose clock is wrong. */
  async skew(name: string, byMs: number): Promise<void> {
    const post = this.#post(name);
    post.skewMs = byMs;
    await this.#replace(post);
  }

  /** The newer build migrates the database while the older one serves; then processes are replaced one by one. */
  async deploy(build: Build): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await runCommand(this.#options.serverEnvironment, ['migrate'], build.mainPath);
        break;
      } catch (error) {
        // The database may fail over in the middle. An interrupted migration is run again.
        if (tries === 20 || this.#isStopping) throw error;
        await sleep(1_000);
      }
    }
    this.#build = build;
    for (const post of this.#posts) if (post.victim !== 'simulator') await this.#replace(post);
  }

  /** API processes and workers, one after the other: the next one stops when the last one is ready. */
  async roll(build: Build, { restMs }: { readonly restMs: number }): Promise<void> {
    this.#build = build;
    const rollKind = async (victim: Victim): Promise<void> => {
      for (const post of this.#posts.filter((one) => one.victim === victim)) {
        await this.#replace(post);
        await this.#waitUntilUp(post, Date.now() + UP_WITHIN_MS);
        // A worker gets no requests, so its absence is not noticed.
        if (victim === 'api') await sleep(restMs);
      }
    };
    await Promise.all([rollKind('api'), rollKind('worker')]);
  }

  get replacedCount(): number {
    return this.#replaced;
  }

  /** Those that did not end by themselves. */
  get forcedCount(): number {
    return this.#forced;
  }

  /** Starts missing processes, resumes stopped ones, and waits until all answer. */
  async waitUntilUp(patienceMs = UP_WITHIN_MS): Promise<void> {
    const until = Date.now() + patienceMs;
    for (const post of this.#posts) {
      post.child?.signal('SIGCONT');
      await this.#waitUntilUp(post, until);
    }
  }

  /** Processes exit if their database is down at their start; a host's supervisor restarts them. */
  async supervise(): Promise<void> {
    while (!this.#isStopping) {
      for (const post of this.#posts)
        if (post.child?.hasEnded === true && !post.isReplaced) this.#start(post);
      await sleep(1_000);
    }
  }

  stop(): void {
    this.#isStopping = true;
    for (const { child } of this.#posts) child?.signal('SIGKILL');
  }

  async #waitUntilUp(post: Post, until: number): Promise<void> {
    while (!(await this.#answers(post))) {
      if (post.child?.hasEnded !== false) this.#start(post);
      if (Date.now() > until) throw new Error(`${post.name} does not answer; see its log`);
      await sleep(200);
    }
  }

  async #replace(post: Post): Promise<void> {
    post.isReplaced = true;
    this.#replaced += 1;
    const patience = setTimeout(() => {
      this.#forced += 1;
      post.child?.signal('SIGKILL');
    }, ENDS_WITHIN_MS);
    await post.child?.end('SIGTERM');
    clearTimeout(patience);
    this.#start(post);
    post.isReplaced = false;
  }

  #start(post: Post): void {
    if (this.#isStopping || post.child?.hasEnded === false) return;
    const { scratch, operatorArguments } = this.#options;
    const logPath = join(scratch.folder('logs'), `${post.name}.log`);
    const isSimulator = post.victim === 'simulator';
    const env = isSimulator
      ? {}
      : { ...this.#options.serverEnvironment, ...runEnvironment(scratch), MALIPO_PORT: String(post.port) };
    const args = isSimulator
      ? operatorArguments(post)
      : [...(post.skewMs === 0 ? [] : ['--import', SKEWED_CLOCK]), this.#build.mainPath, post.victim];
    post.child = new Child({ args, env: { ...env, CLOCK_SKEW_MS: String(post.skewMs) }, logPath });
  }

  #answers({ victim, port }: Post): Promise<boolean> {
    return isUp(`http://127.0.0.1:${port}${victim === 'simulator' ? '/control/settings' : '/health'}`);
  }

  #post(name: string): Post {
    const post = this.#posts.find((candidate) => candidate.name === name);
    if (post === undefined) throw new Error(`there is no process ${name}`);
    return post;
  }
}
