// What providers and countries are called, for everybody who is signed in.
import type { FastifyInstance } from 'fastify';
import { findCountry, listProviders } from '../../domain/operators/catalogue.ts';
import { catalogueCalls } from '../../wire/console/catalogue.ts';
import { consoleRoutes, type ConsoleParts } from './route.ts';

export function registerCatalogue(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'catalogue');
  route('GET', '/catalogue', { for: 'SIGNED_IN' }, catalogueCalls.readCatalogue, {
    summary: 'The names of all providers, and the countries they are in',
    handle: async () => {
      const providers = listProviders();
      const countries = [...new Set(providers.map(({ country }) => country))];
      return {
        providers: providers.map(({ code, displayName, country, currencies }) => ({
          provider: code,
          name: displayName,
          country,
          currencies: currencies.map(({ currency }) => currency),
        })),
        countries: countries
          .flatMap((alpha3) => findCountry(alpha3) ?? [])
          .map(({ alpha3, alpha2 }) => ({ country: alpha3, region: alpha2 })),
      };
    },
  });
}
