// The processes of the gateway and the simulator: started, killed, stopped, skewed, and replaced by a newer build.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Child } from './child.ts';
import type { Build } from './builds.ts';
import type { Victim } from '../chaos/plan.ts';
import type { Scratch } from './scratch.ts';

const run = promisify(execFile);

export type Member = { readonly name: string; readonly victim: Victim; readonly port: number };

type Post = Member & { child: Child | null; skewMs: number; isReplaced: boolean };

export type FleetOptions = {
  readonly scratch: Scratch;
  readonly build: Build;
  readonly members: readonly Member[];
  readonly serverEnvironment: Readonly<Record<string, string>>;
  readonly operatorArguments: (member: Member) => readonly string[];
};

const UP_WITHIN_MS = 60_000;
const SKEWED_CLOCK = fileURLToPath(new URL('./skewed-clock.mjs', import.meta.url));

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

  async start(): Promise<void> {
    for (const post of this.#posts) this.#start(post);
    await this.waitUntilUp();
  }

  /** Those that run, of a kind. */
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

  /** From now on this process's clock is wrong; it is replaced in good order. */
  async skew(name: string, byMs: number): Promise<void> {
    const post = this.#post(name);
    post.skewMs = byMs;
    await this.#replace(post);
  }

  /** The database is migrated by the newer build while the older one serves; then processes are replaced one by one. */
  async deploy(build: Build): Promise<void> {
    const env = { ...this.#environment(), MALIPO_PORT: '0' };
    for (let tries = 1; ; tries += 1) {
      try {
        await run(process.execPath, [build.mainPath, 'migrate'], { env });
        break;
      } catch (error) {
        // The database may fail over in the middle. A migration that was cut off is simply run again.
        if (tries === 20 || this.#isStopping) throw error;
        await sleep(1_000);
      }
    }
    this.#build = build;
    for (const post of this.#posts) if (post.victim !== 'simulator') await this.#replace(post);
  }

  /** API processes and workers, of each kind one after the other: the next one stops when the last one is ready. */
  async roll(build: Build, { restMs }: { readonly restMs: number }): Promise<void> {
    this.#build = build;
    const rollKind = async (victim: Victim): Promise<void> => {
      for (const post of this.#posts.filter((one) => one.victim === victim)) {
        await this.#replace(post);
        await this.#waitUntilUp(post, Date.now() + UP_WITHIN_MS);
        // A worker is asked for nothing, so no one has to notice it.
        if (victim === 'api') await sleep(restMs);
      }
    };
    await Promise.all([rollKind('api'), rollKind('worker')]);
  }

  get replacedCount(): number {
    return this.#replaced;
  }

  /** Those of them that did not end by themselves. */
  get forcedCount(): number {
    return this.#forced;
  }

  /** Starts anyone who is missing, releases on anyone who stands still, and waits until all answer. */
  async waitUntilUp(patienceMs = UP_WITHIN_MS): Promise<void> {
    const until = Date.now() + patienceMs;
    for (const post of this.#posts) {
      post.child?.signal('SIGCONT');
      await this.#waitUntilUp(post, until);
    }
  }

  /** Processes end by themselves when their database is away at their start; a host's supervisor starts them again. */
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
    }, 10_000);
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
    const env = isSimulator ? {} : { ...this.#environment(), MALIPO_PORT: String(post.port) };
    const args = isSimulator
      ? operatorArguments(post)
      : [...(post.skewMs === 0 ? [] : ['--import', SKEWED_CLOCK]), this.#build.mainPath, post.victim];
    post.child = new Child({
      command: process.execPath,
      args,
      env: { ...env, PATH: process.env['PATH'] ?? '', CLOCK_SKEW_MS: String(post.skewMs) },
      logPath,
    });
  }

  #environment(): Record<string, string> {
    return { PATH: process.env['PATH'] ?? '', ...this.#options.serverEnvironment };
  }

  async #answers(post: Post): Promise<boolean> {
    const path = post.victim === 'simulator' ? '/control/settings' : '/health';
    const signal = AbortSignal.timeout(1_000);
    return fetch(`http://127.0.0.1:${post.port}${path}`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  #post(name: string): Post {
    const post = this.#posts.find((candidate) => candidate.name === name);
    if (post === undefined) throw new Error(`there is no process ${name}`);
    return post;
  }
}
