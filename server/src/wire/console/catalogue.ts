// What providers and countries are called, for every screen.
import { Type } from 'typebox';
import { arrayOf, describeCalls, strict } from './shape.ts';

export const catalogueCalls = describeCalls({
  readCatalogue: {
    answer: strict({
      providers: arrayOf({
        provider: Type.String(),
        name: Type.String({ description: 'Without the country: Airtel.' }),
        country: Type.String({ description: 'ISO 3166-1 alpha-3.' }),
        currencies: Type.Array(Type.String()),
      }),
      countries: arrayOf({
        country: Type.String({ description: 'ISO 3166-1 alpha-3.' }),
        region: Type.String({
          description: 'ISO 3166-1 alpha-2, by which a browser names it in its language.',
        }),
      }),
    }),
  },
});
