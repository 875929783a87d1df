// The manifests of deploy/kubernetes: every overlay, and one with the component for a key service, is rendered by
// kubectl, and every object is judged by the API's own schemas and by what must fit together. `npm run drill:image`
// plays them.
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { listOverlays, renderOverlay, type Manifest } from './manifests.ts';
import { COMMANDS } from '../../src/commands/commands.ts';
import { findSchemaFaults } from './manifest-schemas.ts';

const containersPage = readFileSync(
  new URL('../../../docs/operating/containers.md', import.meta.url),
  'utf8',
);
const MONITORING = new URL('../../../deploy/monitoring/', import.meta.url);
const page = readFileSync(new URL('../../../docs/reference/configuration.md', import.meta.url), 'utf8');

let overlays: Readonly<Record<string, readonly Manifest[]>>;
beforeAll(() => {
  overlays = {
    ...Object.fromEntries(listOverlays().map((name) => [name, renderOverlay(name)])),
    'with-key-service': renderOverlay('production', ['key-service']),
  };
});

const containersOf = ({ spec }: Pod) => [...(spec.initContainers ?? []), ...spec.containers];

type Pod = { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly spec: any };

/** What runs pods, with the pods it runs. */
const podsOf = (objects: readonly Manifest[]): readonly Pod[] =>
  objects.flatMap(({ kind, metadata, ...object }) =>
    ['Deployment', 'StatefulSet', 'Job'].includes(kind)
      ? [{ name: metadata.name, ...object['spec'].template.metadata, spec: object['spec'].template.spec }]
      : [],
  );

/** A copy with something changed: the first of the kind that has it, as JSON text. */
function plant(objects: readonly Manifest[], kind: string, from: string, to: string): readonly Manifest[] {
  const object = objects.find((one) => one.kind === kind && JSON.stringify(one).includes(from));
  if (object === undefined) throw new Error(`no ${kind} has ${from}`);
  const changed = JSON.stringify(object).replace(from, to);
  return objects.map((one) => (one === object ? (JSON.parse(changed) as Manifest) : one));
}

const CONTAINER_RULES: Readonly<Record<string, (container: any) => boolean>> = {
  'is read-only': ({ securityContext }) => securityContext?.readOnlyRootFilesystem === true,
  'has no capabilities': ({ securityContext }) =>
    securityContext?.capabilities?.drop?.includes('ALL') === true,
  'cannot gain privileges': ({ securityContext }) => securityContext?.allowPrivilegeEscalation === false,
  'says what it needs': ({ resources }) => 'requests' in resources && 'memory' in resources.limits,
};

/** What of the standard for restricted pods a pod does not keep. */
function listWeaknesses(pod: Pod): readonly string[] {
  const { name, spec } = pod;
  const { securityContext = {}, automountServiceAccountToken } = spec;
  const isRestricted =
    securityContext.runAsNonRoot === true &&
    securityContext.runAsUser > 0 &&
    securityContext.seccompProfile?.type === 'RuntimeDefault' &&
    automountServiceAccountToken === false;
  const rules = Object.entries(CONTAINER_RULES);
  return [
    ...(isRestricted ? [] : [`${name} is restricted`]),
    ...containersOf(pod).flatMap((container: any) =>
      rules.flatMap(([rule, holds]) => (holds(container) ? [] : [`${name}: ${container.name} ${rule}`])),
    ),
  ];
}

const isWithin = (selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

/** Objects that select pods of which there are none. */
function listIdleSelectors(objects: readonly Manifest[]): readonly string[] {
  const pods = podsOf(objects);
  return objects.flatMap(({ kind, metadata, spec }) => {
    if (!['Service', 'PodDisruptionBudget', 'NetworkPolicy', 'Deployment'].includes(kind)) return [];
    const selector = kind === 'NetworkPolicy' ? spec.podSelector : spec.selector;
    const wanted = (kind === 'Service' ? selector : selector.matchLabels) ?? {};
    return pods.some(({ labels }) => isWithin(wanted, labels)) ? [] : [`${kind} ${metadata.name}`];
  });
}

/** Settings that there are not, or files of secrets that no pod mounts. */
function listWrongSettings(objects: readonly Manifest[]): readonly string[] {
  const settings = objects.find(({ metadata }) => metadata.name.startsWith('malipo-settings'))?.[
    'data'
  ] as object;
  const gateway = podsOf(objects).filter(({ labels }) => labels['app.kubernetes.io/name'] === 'malipo');
  return Object.entries(settings as Readonly<Record<string, string>>).flatMap(([name, value]) => {
    const isKnown = page.includes(`| \`${name.replace(/_FILE$/, '')}\` |`);
    const isMounted = gateway.every(({ spec }) =>
      spec.containers[0].volumeMounts.some(({ mountPath }: any) => value.startsWith(`${mountPath}/`)),
    );
    return isKnown && (isMounted || !name.endsWith('_FILE')) ? [] : [name];
  });
}

describe('the Kubernetes manifests', () => {
  test('every object of every overlay is as the API wants it, and mistakes are found', async () => {
    const { production = [], 'with-key-service': withKeyService = [] } = overlays;
    const mistakes = {
      'a-misspelt-field': plant(production, 'Deployment', '"readinessProbe"', '"readinesProbe"'),
      'a-text-for-a-number': plant(
        production,
        'HorizontalPodAutoscaler',
        '"minReplicas":2',
        '"minReplicas":"2"',
      ),
      'no-container-name': plant(production, 'Job', '"name":"migrate"', '"title":"migrate"'),
      'a-wrong-monitor': plant(production, 'ServiceMonitor', '"endpoints"', '"endpoint"'),
      'a-kind-that-is-not': plant(production, 'PodDisruptionBudget', 'policy/v1', 'policy/v2'),
      'no-audience': plant(withKeyService, 'Deployment', '"audience"', '"audiences"'),
      'no-selector': plant(production, 'NetworkPolicy', '"podSelector"', '"pods"'),
    };
    const faults = await findSchemaFaults({ ...overlays, ...mistakes });
    expect(Object.keys(overlays)).toEqual(['production', 'trial', 'with-key-service']);
    for (const name of Object.keys(overlays)) expect(`${name}: ${faults[name]}`).toBe(`${name}: `);
    for (const name of Object.keys(mistakes)) expect(`${name}: ${faults[name]}`).not.toBe(`${name}: `);
  });

  test('every pod keeps the standard for restricted pods, and one that does not is found', () => {
    for (const objects of Object.values(overlays))
      expect(podsOf(objects).flatMap(listWeaknesses)).toEqual([]);
    const planted = plant(overlays['trial']!, 'StatefulSet', 'RootFilesystem":true', 'RootFilesystem":false');
    expect(podsOf(planted).flatMap(listWeaknesses)).toEqual(['malipo-postgres: postgres is read-only']);
  });

  test('selectors select pods that there are, and the monitor a port that there is', () => {
    for (const objects of Object.values(overlays)) expect(listIdleSelectors(objects)).toEqual([]);
    const { production = [] } = overlays;
    const planted = plant(production, 'Service', '"selector":{"app', '"selector":{"ap');
    expect(listIdleSelectors(planted)).toEqual(['Service malipo-api']);
    const { selector, endpoints } = production.find(({ kind }) => kind === 'ServiceMonitor')!['spec'];
    const services = production.filter(({ kind, metadata }) => {
      return kind === 'Service' && isWithin(selector.matchLabels, metadata.labels ?? {});
    });
    expect(services.map(({ spec }) => spec.ports[0].name)).toEqual([endpoints[0].port]);
  });

  test('the monitor gives its targets the job and the cell that dashboards ask for', () => {
    const read = (path: string) => readFileSync(new URL(path, MONITORING), 'utf8');
    const [, job] = /job_name: (\w+)/.exec(read('prometheus.yml'))!;
    const asked = readdirSync(new URL('dashboards/', MONITORING)).flatMap((name) => [
      ...read(`dashboards/${name}`).matchAll(/job=\\"(\w+)\\"/g),
    ]);
    expect(new Set(asked.map(([, wanted]) => wanted))).toEqual(new Set([job]));
    const { production = [] } = overlays;
    const { jobLabel, endpoints } = production.find(({ kind }) => kind === 'ServiceMonitor')!['spec'];
    const service = production.find(({ metadata }) => metadata.name === 'malipo-metrics')!;
    expect(service.metadata.labels?.[jobLabel]).toBe(job);
    expect(endpoints[0].relabelings).toContainEqual({ targetLabel: 'cell', replacement: '0001' });
  });

  test('settings are documented ones, and files of secrets are where the pods have them', () => {
    for (const objects of Object.values(overlays)) expect(listWrongSettings(objects)).toEqual([]);
    const planted = plant(
      overlays['production']!,
      'ConfigMap',
      '/run/secrets/malipo/database',
      '/run/secrets',
    );
    expect(listWrongSettings(planted)).toEqual(['DATABASE_URL_FILE']);
  });

  test('production brings no secret along, and each kind of process has the database role of its own', () => {
    const { production = [] } = overlays;
    expect(production.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const secretsOf = podsOf(production).map(({ name, spec }) => [
      name,
      spec.volumes.map(({ secret }: any) => secret.secretName),
    ]);
    expect(Object.fromEntries(secretsOf)).toEqual({
      'malipo-api': ['malipo-keys', 'malipo-database-api'],
      'malipo-worker': ['malipo-keys', 'malipo-database-worker'],
      'malipo-migrate': ['malipo-keys', 'malipo-database-owner'],
      'malipo-rights': ['malipo-keys', 'malipo-database-owner'],
      'malipo-admin': ['malipo-keys', 'malipo-database-owner'],
    });
  });

  test('what the page applies before everything else is all that the migration needs', () => {
    const [, wanted = ''] = /component in \(([^)]*)\)/.exec(containersPage) ?? [];
    for (const objects of Object.values(overlays)) {
      const applied = objects.filter(({ metadata }) => {
        return wanted.split(', ').includes(metadata.labels?.['app.kubernetes.io/component'] ?? '');
      });
      const names = applied.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      const { spec } = podsOf(applied).find(({ name }) => name === 'malipo-migrate')!;
      expect(names).toContain(`ServiceAccount ${spec.serviceAccountName}`);
      expect(names).toContain(`ConfigMap ${spec.containers[0].envFrom[0].configMapRef.name}`);
      expect(names).not.toContain('Deployment malipo-api');
    }
  });

  test('each container starts a command that there is', () => {
    for (const objects of Object.values(overlays)) {
      const containers = podsOf(objects).flatMap(containersOf);
      const commands = containers.flatMap(({ args }: any) => (args === undefined ? [] : [args.join(' ')]));
      expect(commands.length).toBeGreaterThan(4);
      for (const command of commands)
        expect([...COMMANDS.keys()].some((name) => `${command} `.startsWith(`${name} `))).toBe(true);
    }
  });

  test('with the component, every pod has a token for the key service alone and the way to it', () => {
    const objects = overlays['with-key-service']!;
    const pods = podsOf(objects);
    expect(pods.length).toBe(5);
    for (const pod of pods) {
      const tokens = pod.spec.volumes.flatMap(({ projected }: any) => projected?.sources ?? []);
      expect(tokens).toEqual([
        { serviceAccountToken: { audience: 'vault', expirationSeconds: 3_600, path: 'token' } },
      ]);
      for (const { volumeMounts } of containersOf(pod))
        expect(volumeMounts.map(({ mountPath }: any) => mountPath)).toContain(
          '/run/secrets/malipo/key-service',
        );
    }
    const { spec } = objects.find(({ metadata }) => metadata.name === 'malipo-key-service')!;
    expect(spec.egress[0].ports).toEqual([{ protocol: 'TCP', port: 8200 }]);
    const [{ key, values }] = spec.podSelector.matchExpressions;
    for (const { labels } of pods) expect(values).toContain(labels[key]);
  });
});
