// What a sandbox builds in the background, after its API is ready.
import type { Site } from '../../edge/built-files.ts';
import { buildSite, isOutdated } from './build-sites.ts';

export type SiteBuilds = {
  /** True from the beginning for what is to be built, so that its address never says that it is missing. */
  readonly isBuilding: (site: Site) => boolean;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

export const NO_BUILDS: SiteBuilds = {
  isBuilding: () => false,
  start: () => undefined,
  stop: async () => undefined,
};

export function planBuilds(onProgress: (text: string) => void): SiteBuilds {
  const sites = (['dashboard', 'docs'] as const).filter(isOutdated);
  const left = new Set<Site>(sites);
  const stopping = new AbortController();
  let ended = Promise.resolve();
  const build = async (site: Site) => {
    onProgress(`Building the ${site} in the background`);
    try {
      await buildSite(site, stopping.signal);
      onProgress(`The ${site} can be opened`);
    } catch (error) {
      if (stopping.signal.aborted) return;
      onProgress(`The ${site} could not be built: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      left.delete(site);
    }
  };
  const buildAll = async () => {
    for (const site of sites) await build(site);
  };
  return {
    isBuilding: (site) => left.has(site),
    start: () => void (ended = buildAll()),
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}
