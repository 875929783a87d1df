// The colour and the logo on a merchant's payment pages and checkouts.
import type { FastifyInstance } from 'fastify';
import { changePageBrand } from '../../../core/merchants/page-brand.ts';
import { findPageBrand } from '../../../store/merchants/page-brand.ts';
import { settingsCalls } from '../../../wire/console/merchant/settings.ts';
import { done } from '../../../wire/console/shape.ts';
import { parseMark } from '../../pages/look/brand.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

const READ = { for: 'MERCHANT', permission: 'settings:read' } as const;
const WRITE = { for: 'MERCHANT', permission: 'settings:write', isDangerous: true } as const;

export function registerPageBrand(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'settings');
  const { engine } = parts;
  const url = '/merchants/:merchantId/page-brand';
  route('GET', url, READ, settingsCalls.readPageBrand, {
    summary: 'The colour and the logo of payment pages and checkouts',
    handle: async ({ path: { merchantId } }) => {
      const brand = await findPageBrand(engine.store.database, merchantId);
      if (brand === null) throw new ConsoleFailure('NOT_FOUND');
      const logo = brand.pageLogo === null ? null : imageOf(brand.pageLogo);
      return {
        colour: brand.pageColour,
        logo: logo && { type: logo.type, base64: logo.bytes.toString('base64') },
      };
    },
  });
  route('PUT', url, WRITE, settingsCalls.setPageBrand, {
    summary: 'Set the colour and the logo of payment pages and checkouts; takes effect within ten seconds',
    handle: async ({ path, body, user: { by } }) => {
      const logo = body.logo === null ? null : imageOf(Buffer.from(body.logo.base64, 'base64')).bytes;
      await changePageBrand(engine, { ...path, by, colour: body.colour, logo });
      return done;
    },
  });
}

function imageOf(bytes: Buffer) {
  const image = parseMark(bytes);
  if ('because' in image) throw failureBecause('INVALID_INPUT', image.because, image.parameters);
  return image;
}
