/** Tests with the real Renovate that no update skips a required stop. */
import { beforeAll, expect, test } from 'vitest';
import { addDays, today } from '../../src/core/day.ts';
import type { Facts } from '../harness/components.ts';
import { release } from '../harness/judging.ts';
import { listen } from '../harness/listen.ts';
import { runRenovate, validateConfigs } from './client.ts';
import { serveSite, writeComment, writePins, type ServedSite } from './site.ts';
import { writePullRequests, writeUpdates } from './steps.ts';

const now = today();
const digestOf = (version: string) => `sha256:${version.replaceAll(/\D/g, '').padStart(64, '0')}`;
const versions =
  '16.9.1 17.1.8 17.2.1 17.2.9 17.3.6 17.3.7 17.4.1 17.5.4 17.5.5 17.6.0 17.8.0 17.8.7 17.9.1 17.11.1 17.11.2 18.0.1 18.1.0'.split(
    ' ',
  );
const definition = {
  title: 'Server',
  requiredStops: { lines: ['17.3', '17.5', '17.8', '17.11'], url: 'https://example.com/stops' },
  // All lines but the two newest have ended, so all releases of the stops are deprecated.
  support: { policy: 'latest-lines', count: 2 },
};
const releases = versions.map((version, place) =>
  release(version, addDays(now, -400 + 20 * place), {
    digest: digestOf(version),
    digests: [digestOf(version)],
  }),
);
const mark = (form: RegExp, more: object) =>
  releases.map((each) => (form.test(each.version) ? { ...each, ...more } : each));
const packages = { sources: [{ datasource: 'npm', packageName: '@example/server' }] };
const components: Record<string, Facts> = {
  svc: { definition, releases },
  prefixed: {
    definition: { ...definition, title: 'Prefixed' },
    releases: versions.map((version, place) => release(`v${version}`, addDays(now, -400 + place))),
  },
  // Its stop 17.3 got a release today.
  fresh: {
    definition,
    releases: [...releases, release('17.3.8', now)],
  },
  // Line 17.4 is supported longer than the stop 17.5.
  lasting: {
    definition: {
      ...definition,
      support: {
        policy: 'dated',
        lines: { '17.4': addDays(now, 90), '17.5': addDays(now, -9), '18.1': addDays(now, 300) },
      },
    },
    releases,
  },
  each: {
    definition: { ...definition, requiredStops: { lines: '*' } },
    releases: ['1.24.1', '1.25.3', '1.26.0', '1.26.4', '1.27.2'].map((version, place) =>
      release(version, addDays(now, -300 + 50 * place)),
    ),
  },
  server: { definition: { ...definition, ...packages, title: 'Node' }, releases },
  // Only 17.3.7 is yanked, or all releases of the stop 17.3 are.
  yanked: { definition, releases: mark(/^17\.3\.7$/, { deprecated: 'Broken.' }) },
  broken: { definition, releases: mark(/^17\.3\./, { deprecated: 'Broken.' }) },
  withdrawn: {
    definition,
    releases: mark(/^17\.3\./, {
      missingSince: addDays(now, -9),
      withdrawnSince: addDays(now, -8),
    }),
  },
  missing: { definition, releases: releases.filter(({ version }) => !version.startsWith('17.3.')) },
  early: { definition, releases: mark(/^17\.3\./, { isPrerelease: true }) },
};

const stopsNote =
  'Upgrades must pass through 17.3, 17.5, 17.8 and 17.11, according to example.com.';

let site: ServedSite;
let preset: string;
beforeAll(async () => {
  site = await serveSite(components, now);
  preset = `${site.origin}/renovate.json`;
});

const apart = {
  matchPackageNames: ['*'],
  additionalBranchPrefix: '{{depName}}-{{currentValue}}-',
  separateMajorMinor: false,
};

async function propose(pins: readonly (readonly [string, string])[], own: object = {}) {
  const config = { extends: [preset], packageRules: [apart], ...own };
  const files = { 'renovate.json': config, Dockerfile: writePins(pins) };
  const { lookups } = await runRenovate(files, site.origin);
  return lookups
    .filter(({ file }) => file === 'Dockerfile')
    .flatMap(({ name, pin, proposed }) =>
      pin === 'scratch' ? [] : `${name} ${pin} -> ${proposed.join(', ')}`,
    );
}

test('each pin goes to its own next stop, even if one repository has several pins of a component in any order', async () => {
  const pins = [
    ...['9.9', '16.9.1', '17', '17.1.8', '17.2.9', '17.2.77', 'v17.2.1', '17.3.0', '17.3.7'],
    ...['17.4.1', '17.5.5', '17.8.7', '17.10.3', '17.11.1', '18.0.1'],
  ].map((version) => ['svc', version] as const);

  const proposed = [
    'svc 9.9 -> 17.3.7',
    'svc 16.9.1 -> 17.3.7',
    'svc 17 -> 17.3.7',
    'svc 17.1.8 -> 17.3.7',
    'svc 17.2.9 -> 17.3.7',
    'svc 17.2.77 -> 17.3.7',
    'svc v17.2.1 -> v17.3.7',
    'svc 17.3.0 -> 17.5.5',
    'svc 17.3.7 -> 17.5.5',
    'svc 17.4.1 -> 17.5.5',
    'svc 17.5.5 -> 17.8.7',
    'svc 17.8.7 -> 17.11.2',
    'svc 17.10.3 -> 17.11.2',
    'svc 17.11.1 -> 18.1.0',
    'svc 18.0.1 -> 18.1.0',
  ];
  expect(await propose(pins)).toEqual(proposed);
  expect(await propose(pins.toReversed())).toEqual(proposed.toReversed());
});

test('versions with v, an ended stop of a supported line, and stops at each line', async () => {
  const pins = [
    ['prefixed', 'v17.1.8'],
    ['prefixed', '17.4.1'],
    ['lasting', '17.4.1'],
    ['each', '1.24.1'],
    ['each', '1.25.0'],
    ['each', '1.26.0'],
  ] as const;

  expect(await propose(pins)).toEqual([
    'prefixed v17.1.8 -> v17.3.7',
    'prefixed 17.4.1 -> 17.5.5',
    'lasting 17.4.1 -> 17.5.5',
    'each 1.24.1 -> 1.25.3',
    'each 1.25.0 -> 1.26.4',
    'each 1.26.0 -> 1.27.2',
  ]);
});

test.each<[title: string, own: object, name: string, ...proposed: string[]]>([
  [
    'major and minor updates apart',
    { separateMultipleMajor: true, separateMinorPatch: true },
    'svc',
    '17.3.7',
    '17.8.7',
    '18.1.0',
  ],
  [
    'a group',
    { packageRules: [apart, { matchUpdateTypes: ['minor', 'patch'], groupName: 'all' }] },
    'svc',
    '17.3.7',
    '17.8.7',
    '18.1.0',
  ],
  ['a waiting time', { minimumReleaseAge: '10 days' }, 'fresh', '17.3.7', '17.8.7', '18.1.0'],
  [
    'a waiting time that no release has passed',
    { minimumReleaseAge: '900 days' },
    'fresh',
    '',
    '',
    '',
  ],
  ['deprecated versions', { ignoreDeprecated: false }, 'svc', '17.3.7', '17.8.7', '18.1.0'],
  // CONTRACT says so: Renovate knows only one `allowedVersions`, the reader's.
  [
    'their own allowedVersions',
    { packageRules: [apart, { matchPackageNames: ['svc'], allowedVersions: '<17.9' }] },
    'svc',
    '17.8.7',
    '17.8.7',
    '',
  ],
])("readers' own settings for %s decide the proposals: %j", async (_, own, name, ...proposed) => {
  const pins = ['17.1.8', '17.5.5', '17.11.2'].map((version) => [name, version] as const);

  expect(await propose(pins, own)).toEqual(
    pins.map(([, version], place) => `${name} ${version} -> ${proposed[place]}`),
  );
});

test('a pull request writes the stop and its digest, and says why it ends there', async () => {
  const files = {
    'deploy/a.yaml': writeComment(`# ~svc\nimage: acme/svc:17.1.8@${digestOf('17.1.8')}`),
    'deploy/b.yaml': writeComment(`# ~svc\nimage: acme/svc:17.3.7@${digestOf('17.3.7')}`),
  };
  const config = { extends: [preset], packageRules: [apart] };
  const { branches } = await runRenovate({ 'renovate.json': config, ...files }, site.origin);
  const [first] = await writePullRequests(branches);
  const written = await writeUpdates(files, branches.flat());

  expect(written['deploy/a.yaml']).toContain(`acme/svc:17.3.7@${digestOf('17.3.7')}`);
  expect(written['deploy/b.yaml']).toContain(`acme/svc:17.5.5@${digestOf('17.5.5')}`);
  expect(first!.match(/^\*\*\[.*$/gm)?.map((note) => note.replace(/^.*\*\*: /, ''))).toEqual([
    expect.stringMatching(/^Support of this version ended /),
    'Support of the proposed version has ended. Move to 18.1.0 through 17.5.5, 17.8.7 and 17.11.2.',
    stopsNote,
  ]);
});

test('a package that Renovate finds by itself gets a note, or with stops.json its next stop', async () => {
  const document = {
    name: '@example/server',
    'dist-tags': { latest: versions.at(-1) },
    versions: Object.fromEntries(versions.map((version) => [version, { version }])),
    time: Object.fromEntries(versions.map((version) => [version, addDays(now, -90)])),
  };
  site.files.set('npm/@example%2Fserver', JSON.stringify(document));
  const registry = { matchDatasources: ['npm'], registryUrls: [`${site.origin}/npm/`] };
  const read = async (...presets: string[]) => {
    const files = {
      'renovate.json': { extends: presets, packageRules: [registry, apart] },
      'package.json': { dependencies: { '@example/server': '17.4.1' } },
    };
    const { branches } = await runRenovate(files, site.origin);
    const [body] = await writePullRequests(branches);
    const notes = body!.match(/^\*\*\[.*$/gm)?.map((note) => note.replace(/^.*\*\*: /, ''));
    return [
      branches.flat().map(({ newValue }) => newValue),
      notes?.filter((note) => /pass/.test(note)),
    ];
  };

  expect(await read(preset)).toEqual([['18.1.0'], [stopsNote]]);
  expect(await read(preset, `${site.origin}/renovate/stops.json`)).toEqual([
    ['17.5.5'],
    [stopsNote],
  ]);
});

test('an image whose tags have a suffix goes to its next stop with stops.json', async () => {
  const tags = [...versions, '18.2.0'].map((version) => `${version}-ce.0`);
  const registry = await listen((request, response) => {
    const isList = request.url?.includes('/tags/list');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isList ? { name: 'acme/suite', tags: [...tags, 'latest'] } : {}));
  });
  const { host } = new URL(registry);
  const extractVersion = String.raw`^(?<version>.+)-ce\.0$`;
  const source = { datasource: 'docker', packageName: 'acme/suite', registryUrl: registry };
  const sources = [{ ...source, extractVersion }];
  const facts = { definition: { ...definition, sources }, releases };
  const served = await serveSite({ suite: facts }, now, { plainHttpHosts: ['127.0.0.1'] });
  const config = {
    extends: ['renovate.json', 'renovate/stops.json'].map((path) => `${served.origin}/${path}`),
    packageRules: [apart],
  };
  const files = {
    'renovate.json': config,
    'a/Dockerfile': `FROM ${host}/acme/suite:17.1.8-ce.0\n`,
    'b/Dockerfile': `FROM ${host}/acme/suite:17.11.2-ce.0\n`,
  };
  const { lookups } = await runRenovate(files, served.origin, {
    hostRules: [
      { matchHost: `${served.origin}/`, allowInternal: true },
      { matchHost: host, allowInternal: true, insecureRegistry: true },
    ],
  });

  expect(lookups.flatMap(({ pin, proposed }) => (pin ? `${pin} -> ${proposed}` : []))).toEqual([
    '17.1.8-ce.0 -> 17.3.7-ce.0',
    '17.11.2-ce.0 -> 18.2.0-ce.0',
  ]);
});

test("Renovate's strict validator accepts the presets", () => {
  const output = validateConfigs({
    'renovate.json': site.files.get('renovate.json')!,
    'stops.json': site.files.get('renovate/stops.json')!,
  });

  expect(output).not.toContain('WARN');
});

test('a stop whose releases are yanked, withdrawn, missing or prereleases never opens the way beyond it', async () => {
  const names = ['yanked', 'broken', 'withdrawn', 'missing', 'early'];
  const pins = names.flatMap((name) => [[name, '17.1.8'] as const, [name, '17.2.77'] as const]);

  expect(await propose(pins)).toEqual([
    'yanked 17.1.8 -> 17.3.6',
    'yanked 17.2.77 -> 17.3.6',
    ...['broken', 'withdrawn', 'missing', 'early'].flatMap((name) => [
      `${name} 17.1.8 -> `,
      `${name} 17.2.77 -> `,
    ]),
  ]);
  expect(await propose(pins, { ignoreDeprecated: false })).toEqual(await propose(pins));
});

/** Serves the tags of the image `acme/both`, and the versions of the Maven package `org.acme:lib`. */
async function serveRegistry(): Promise<string> {
  const document = (list: readonly string[]) =>
    `<metadata><versioning><versions>${list.map((each) => `<version>${each}</version>`).join('')}</versions></versioning></metadata>`;
  return listen((request, response) => {
    const path = request.url ?? '';
    if (path.endsWith('maven-metadata.xml')) {
      response.end(document(javaVersions));
    } else if (path.includes('/tags/list')) {
      response.setHeader('content-type', 'application/json');
      const tags = [...versions, ...versions.map((version) => `${version}-alpine`)];
      response.end(JSON.stringify({ name: 'acme/both', tags }));
    } else {
      // Renovate proposes a Maven version only if its pom file exists.
      response.writeHead(path === '/v2/' || path.endsWith('.pom') ? 200 : 404).end('<project />');
    }
  });
}

const javaVersions = ['4.0.1.Final', '4.1.0.Final', '4.1.2.Final', '4.2.0.Final', '5.0.0.Final'];

test('images of two components, Java versions and stops do not disturb each other, in both orders of the files', async () => {
  const registry = await serveRegistry();
  const { host } = new URL(registry);
  const image = { datasource: 'docker', packageName: 'acme/both', registryUrl: registry };
  const dated = (list: readonly string[]) =>
    list.map((version) => release(version, addDays(now, -90)));
  const java = {
    requiredStops: { lines: ['4.1'] },
    sources: [{ datasource: 'maven', packageName: 'org.acme:lib', registryUrl: registry }],
  };
  const guava = ['31.0', '32.1', '32.2', '33.0'].flatMap((each) => [
    `${each}-jre`,
    `${each}-android`,
  ]);
  const served = await serveSite(
    {
      svc: { definition, releases },
      plain: { definition: { ...definition, sources: [image] }, releases },
      alpine: {
        definition: {
          requiredStops: { lines: ['17.8'] },
          sources: [{ ...image, extractVersion: '^(?<version>.+)-alpine$' }],
        },
        releases,
      },
      java: { definition: java, releases: dated(javaVersions) },
      guava: { definition: { requiredStops: { lines: ['32.1'] } }, releases: dated(guava) },
    },
    now,
    { plainHttpHosts: ['127.0.0.1'] },
  );
  const pom = (version: string) =>
    `<project xmlns="http://maven.apache.org/POM/4.0.0"><dependencies><dependency><groupId>org.acme</groupId><artifactId>lib</artifactId><version>${version}</version></dependency></dependencies></project>`;
  const cases: [file: string, content: string, expected: string][] = [
    ['Dockerfile', `FROM ${host}/acme/both:17.1.8\n`, '17.1.8 -> 17.3.7'],
    ['Dockerfile', `FROM ${host}/acme/both:17.1.8-alpine\n`, '17.1.8-alpine -> 17.8.7-alpine'],
    ['Dockerfile', `FROM ${host}/acme/both:17.5.5\n`, '17.5.5 -> 17.8.7'],
    ['Dockerfile', `FROM ${host}/acme/both:17.8.0-alpine\n`, '17.8.0-alpine -> 18.1.0-alpine'],
    ['pom.xml', pom('4.0.1.Final'), '4.0.1.Final -> 4.1.2.Final'],
    ['pom.xml', pom('4.1.0.Final'), '4.1.0.Final -> 5.0.0.Final'],
    ...[
      ['java', '4.0.1.Final', '4.1.2.Final'],
      ['java', '4.1.2.Final', '5.0.0.Final'],
      ['guava', '31.0-jre', '32.1-jre'],
      ['guava', '31.0-android', '32.1-android'],
      ['guava', '32.1-jre', '33.0-jre'],
      ['svc', '17.1.8', '17.3.7'],
      ['svc', '17.5.5', '17.8.7'],
    ].map(([name, from, to]): [string, string, string] => [
      'values.yaml',
      writeComment(`# ~${name}\nversion: "${from}"`),
      `${from} -> ${to}`,
    ]),
  ];
  const config = {
    extends: ['renovate.json', 'renovate/stops.json'].map((path) => `${served.origin}/${path}`),
    packageRules: [apart, { matchDatasources: ['maven'], registryUrls: [`${registry}/`] }],
  };
  for (const ordered of [cases, cases.toReversed()]) {
    const listed = ordered.map(([file, ...others], place) => {
      return [`k8s/${String.fromCharCode(97 + place)}/${file}`, ...others] as const;
    });
    const { lookups } = await runRenovate(
      { 'renovate.json': config, ...Object.fromEntries(listed) },
      served.origin,
      {
        hostRules: [
          { matchHost: `${served.origin}/`, allowInternal: true },
          { matchHost: `${registry}/`, allowInternal: true },
          { matchHost: host, allowInternal: true, insecureRegistry: true },
        ],
      },
    );
    const proposals = lookups
      .filter(({ file, pin }) => file !== 'renovate.json' && pin)
      .map(({ file, pin, proposed }) => `${file}: ${pin} -> ${proposed.join(', ')}`);

    expect(proposals.sort()).toEqual(listed.map(([file, , expected]) => `${file}: ${expected}`));
  }
});
