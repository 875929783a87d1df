// `npm run drill:image`: builds the image, looks at what is in it, and takes a deposit to its signed callback through
// containers that are read-only, without capabilities, and of a user that the image does not know. Then it plays the
// Kubernetes manifests, replaces their pods under load, and starts the two trials. As root on Debian.
//
//   npm run drill:image -- --image localhost/malipo:built    one that was built before
import { withHooks } from '../kit/database.ts';
import { finish, listUnkept, startProgram } from '../kit/program.ts';
import { runContainers } from './containers.ts';
import { buildImage, inspectImage } from './image.ts';
import { playManifests } from './rollout.ts';
import { startSetup } from './setup.ts';
import { playCompose, playTrialOverlay } from './trial.ts';

/** Every machine that runs it has to pull it. */
const MEGABYTES_MAX = 100;

const program = startProgram('npm run drill:image --', { image: null, json: false });
const { say, options } = program;

const image = options.image ?? buildImage();
say(`built ${image}`);
const run = await withHooks(async (hooks) => {
  const setup = await startSetup(hooks, image);
  const facts = await inspectImage(setup.podman, image);
  say(`${facts.megabytes} MB above the base and Node.js`);
  const { confinement, apiToken } = await runContainers(setup);
  say('containers: a deposit up to its signed callback');
  const rollout = await playManifests(setup, apiToken);
  say(`manifests: ${rollout.deposits} deposits up to their callbacks while pods were replaced`);
  await playCompose(setup);
  say('the Compose file: a deposit up to its signed callback');
  await playTrialOverlay(setup);
  say('the overlay for a trial: the same');
  return { facts, confinement, rollout };
});
const { facts, confinement, rollout } = run;
const faults = listUnkept({
  [`at most ${MEGABYTES_MAX} MB above the base and Node.js`]: facts.megabytes <= MEGABYTES_MAX,
  'its user is not root': /^[1-9]\d*:[1-9]\d*$/.test(facts.user),
  'it has a health check': facts.hasHealthCheck,
  'it says which version and commit it is': ['version', 'revision', 'title', 'licenses'].every(
    (name) => (facts.labels[`org.opencontainers.image.${name}`] ?? 'unknown') !== 'unknown',
  ),
  'no packages for development are in it': facts.developmentPackages.length === 0,
  'it ran as another user': confinement.user === 12345,
  'it ran without capabilities': /^0+$/.test(confinement.capabilities),
  'its file system was read-only': confinement.writing === 'EROFS',
  'deposits went on while pods were replaced': rollout.deposits > 10,
  [`no request was refused meanwhile: ${rollout.refused[0]}`]: rollout.refused.length === 0,
});
finish(program, { summary: { ...run, seconds: Math.round(program.seconds()) }, faults });
