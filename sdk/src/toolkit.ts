// What is read before paying: configuration, availability, the predicted provider of a number, balances, keys.
import { readReason, refusedAs } from './answer.ts';
import type {
  ActiveConfiguration,
  Availability,
  AvailabilityFilter,
  Balances,
  BalancesFilter,
  ConfigurationFilter,
  FailureReason,
  PredictedProvider,
  PublicKeys,
} from './api.ts';
import type { Answered, Call } from './connection.ts';
import { sendUntilClear } from './send-until-clear.ts';
import type { Parts } from './start-requests.ts';

export type Prediction =
  | ({ readonly found: true } & PredictedProvider)
  | { readonly found: false; readonly failureReason: FailureReason };

class Readings {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  protected async ask(call: Call): Promise<Answered> {
    const { connection, retryForMs } = this.#parts;
    const answer = await sendUntilClear(connection, call, Date.now() + retryForMs);
    if (answer.type !== 'answered') throw answer.cause;
    return answer;
  }

  protected async read<Content>(path: string, filter: object = {}): Promise<Content> {
    const query = new URLSearchParams(filter as Record<string, string>).toString();
    const answer = await this.ask({ method: 'GET', path: query === '' ? path : `${path}?${query}` });
    if (answer.status !== 200) throw refusedAs(answer);
    return answer.body as Content;
  }
}

export class Wallets extends Readings {
  /**
   * What is available in each wallet.
   *
   * @example
   * ```ts
   * const [wallet] = await malipo.wallets.balances({ country: 'RWA' });
   * console.log(wallet?.currency); // RWF
   * ```
   */
  async balances(filter: BalancesFilter = {}): Promise<Balances['balances']> {
    return (await this.read<Balances>('/v2/wallet-balances', filter)).balances;
  }
}

export class Toolkit extends Readings {
  /**
   * What your account may do: countries, providers, currencies, limits.
   *
   * @example
   * ```ts
   * const { countries } = await malipo.toolkit.activeConfiguration({ country: 'RWA' });
   * console.log(countries[0]?.providers.some(({ provider }) => provider === 'MTN_MOMO_RWA')); // true
   * ```
   */
  async activeConfiguration(filter: ConfigurationFilter = {}): Promise<ActiveConfiguration> {
    return this.read('/v2/active-conf', filter);
  }

  /**
   * Which providers work right now.
   *
   * @example
   * ```ts
   * const [rwanda] = await malipo.toolkit.availability({ country: 'RWA', operationType: 'DEPOSIT' });
   * console.log(rwanda?.providers[0]?.operationTypes['DEPOSIT']); // OPERATIONAL
   * ```
   */
  async availability(filter: AvailabilityFilter = {}): Promise<Availability> {
    return this.read('/v2/availability', filter);
  }

  /**
   * Tidies a phone number and says which provider it most probably belongs to.
   *
   * @example
   * ```ts
   * const predicted = await malipo.toolkit.predictProvider('+250 783 456 789');
   * if (predicted.found) console.log(predicted.provider, predicted.phoneNumber); // MTN_MOMO_RWA 250783456789
   * ```
   */
  async predictProvider(phoneNumber: string): Promise<Prediction> {
    const answer = await this.ask({ method: 'POST', path: '/v2/predict-provider', body: { phoneNumber } });
    const failureReason = readReason(answer.body);
    if (answer.status === 400 && failureReason !== null) return { found: false, failureReason };
    if (answer.status !== 200) throw refusedAs(answer);
    return { found: true, ...(answer.body as PredictedProvider) };
  }
}

export class PublicKeyList extends Readings {
  /**
   * The keys that verify callbacks. `CallbackVerifier` reads and keeps them by itself.
   *
   * @example
   * ```ts
   * const [key] = await malipo.publicKeys.list();
   * console.log(key?.id); // HTTP_EC_P256_KEY:1
   * ```
   */
  async list(): Promise<PublicKeys> {
    return this.read('/v2/public-key/http');
  }
}
