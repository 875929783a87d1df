// Sends notifications: the end of a transaction, to the address in its request. Never throws: if the receiver is down,
// the notification is lost, as with many operators.
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Clock } from '../../domain/clock.ts';
import type { Agenda } from './agenda.ts';
import type { OpenCharge } from './books/charge.ts';
import type { Faults } from './faults/faults.ts';
import type { Settings } from './settings.ts';

/** The usual time-out of operators. */
const TIMEOUT_MS = 5_000;

/** A notification to send. */
export type Message = {
  readonly url: string;
  readonly method?: 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Forged: as sent by someone who does not know the secret that operator and gateway share. */
export type RenderMessage = (charge: OpenCharge, reported: { readonly isForged: boolean }) => Message;

export type AnnouncerOptions = {
  readonly render: RenderMessage;
  readonly settings: Settings;
  readonly faults: Faults;
  readonly agenda: Agenda;
  readonly clock: Clock;
};

export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #agent = new Agent({ connect: { timeout: TIMEOUT_MS } });

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  /** Announces an end. `contradict` applies the opposite and returns the changed charge. */
  async announce(charge: OpenCharge, contradict: () => OpenCharge): Promise<void> {
    if (!this.#options.settings.notifications) return;
    const fault = this.#options.faults.takeForNotification(charge);
    switch (fault?.type) {
      case undefined:
        return this.#deliver(charge);
      case 'NO_NOTIFICATION':
        return;
      case 'DOUBLE_NOTIFICATION':
        await this.#deliver(charge);
        return this.#deliver(charge);
      case 'LATE_NOTIFICATION':
        return this.#later(fault.delayMs, () => this.#deliver(charge));
      case 'FORGED_NOTIFICATION':
        await this.#forge(charge);
        return fault.only === true ? undefined : this.#deliver(charge);
      case 'CONTRADICTING_NOTIFICATION':
        await this.#deliver(charge);
        return this.#later(fault.delayMs ?? 0, () => this.#deliver(contradict()));
    }
  }

  /** Sends an announcement again, ignoring faults. False: the operator has no message for it. */
  repeat(charge: OpenCharge): boolean {
    if (this.#options.render(charge, { isForged: false }).url === '') return false;
    void this.#deliver(charge);
    return true;
  }

  /** A transaction that never ends has no announcement; a forger may send one anyway. */
  async announceNothing(charge: OpenCharge): Promise<void> {
    if (!this.#options.settings.notifications) return;
    const fault = this.#options.faults.takeForNotification(charge);
    if (fault?.type === 'FORGED_NOTIFICATION') await this.#forge(charge);
  }

  /** Sends a message once. Returns whether the receiver accepted it. */
  async post({ url, method = 'POST', headers, body }: Message): Promise<boolean> {
    try {
      const response = await request(url, {
        dispatcher: this.#agent,
        method,
        headers,
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body.dump();
      return response.statusCode < 300;
    } catch {
      return false;
    }
  }

  stop(): Promise<void> {
    return this.#agent.destroy();
  }

  #later(delayMs: number, run: () => Promise<void>): void {
    const dueAt = new Date(this.#options.clock.now().getTime() + delayMs);
    this.#options.agenda.add({ dueAt, run: () => void run() });
  }

  /** A sender without the secret claims a success. */
  async #forge(charge: OpenCharge): Promise<void> {
    const { failureCode: _, ...claimed } = charge;
    await this.post(this.#options.render({ ...claimed, status: 'SUCCESSFUL' }, { isForged: true }));
  }

  async #deliver(charge: OpenCharge): Promise<void> {
    for (const waitMs of [0, ...this.#options.settings.notificationRetryDelaysMs]) {
      await delay(waitMs);
      if (await this.post(this.#options.render(charge, { isForged: false }))) return;
    }
  }
}
