// `npm run generate:sbom`: the bill of materials of what ships, from the lock file alone, as CycloneDX 1.5 on standard
// output.
import { readLock } from './lock.ts';
import { renderBill } from './render-bill.ts';

process.stdout.write(`${JSON.stringify(renderBill(readLock()), null, 2)}\n`);
