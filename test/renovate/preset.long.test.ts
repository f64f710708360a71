import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, today, type Day } from '../../src/core/day.ts';
import { renderFiles, type Facts } from '../harness/components.ts';
import { loadExample } from '../harness/example.ts';
import { runRenovate, validateConfigs, type Run } from './client.ts';
import { importRenovate } from './install.ts';
import { serveSite, writePins, type ServedSite } from './site.ts';
import { writePullRequests } from './steps.ts';

const now = today();
const daysAgo = (days: number): Day => addDays(now, -days);
const hostile = String.raw`Loses "data" \ for @all, see #12; https://evil.example/ and [x](y) {{newVersion}} <b>`;

const components: Record<string, Facts> = {
  svc: {
    definition: {
      title: 'Server',
      support: {
        policy: 'dated',
        lines: { '2025.1': daysAgo(30), '2025.2': addDays(now, 30), '2026.1': addDays(now, 400) },
      },
      advisories: [
        { id: 'CVE-2026-1', affected: '=2025.2', fixed: ['2025.2.1'], severity: 'high' },
      ],
      sources: [{ datasource: 'npm', packageName: '@example/server' }],
    },
    releases: {
      '2025.1': daysAgo(600),
      '2025.2': daysAgo(500),
      '2025.2.1': daysAgo(3),
      '2026.1': daysAgo(2),
    },
  },
  tool: {
    definition: { deprecated: [{ versions: '<1.19', reason: hostile }] },
    releases: { '1.17': daysAgo(500), '1.18': daysAgo(400), '1.19': daysAgo(300) },
  },
  node: {
    definition: { support: { policy: 'ended' }, replacedBy: 'next' },
    releases: { '20.1': daysAgo(300) },
  },
  next: { definition: { title: 'The next' }, releases: { '3.0': daysAgo(100) } },
  variants: {
    releases: {
      '1.0': daysAgo(90),
      '1.0-alpine': daysAgo(90),
      '1.1-alpine': daysAgo(80),
      '1.2': daysAgo(70),
    },
  },
  prefixed: { releases: { 'v1.0': daysAgo(90), 'v1.1': daysAgo(80) } },
  image: {
    definition: {
      sources: [
        { datasource: 'docker', packageName: 'example/image', registryUrl: 'https://ghcr.io' },
      ],
    },
    releases: { '1.0.0': daysAgo(90), '1.1.0': daysAgo(30), '1.2.0': daysAgo(2) },
  },
  worded: { releases: { '1.0.Final': daysAgo(90), '1.1.Final': daysAgo(80) } },
};

let site: ServedSite;
let preset: string;
beforeAll(async () => {
  site = await serveSite(components, now);
  preset = `${site.origin}/renovate.json`;
});

/** Each pin has a pull request of its own. */
const apart = {
  matchPackageNames: ['*'],
  additionalBranchPrefix: '{{depName}}-{{currentValue}}-',
  separateMajorMinor: false,
};

const ended = /: Support of this version ended/;
const next = /: Support of the proposed version: until \d{4}-\d\d-\d\d\.$/;

describe('below a comment', () => {
  const proposals: [name: string, pin: string, proposed: string, labels: string, ...RegExp[]][] = [
    ['svc', '2025.1', '2026.1', 'unsupported', ended, next],
    ['svc', 'v2025.1.9', 'v2026.1', 'unsupported', ended, next],
    [
      ...(['svc', '2025.2', '2026.1', 'security support-ends'] as const),
      ...[/: Support: until \d{4}-\d\d-\d\d\./, next, /: Affected by CVE-2026-1 \(high\)\.$/],
    ],
    [
      ...(['tool', '1.17', '1.19', 'deprecated'] as const),
      /: Deprecated: Loses &#34;data&#34; &#92; for @&#8203;all, see #&#8203;12; https:&#8203;\/\/evil\.example\/ and &#91;x&#93;\(y\) &#123;&#123;newVersion&#125;&#125; &#60;b&#62;$/,
    ],
    ['tool', '1.19', '', ''],
    ['tool', '1.2', '1.19', ''],
    [
      ...(['node', '20.1', 'next@3.0', 'unsupported'] as const),
      ...[ended, /: Replaced by \[The next\]\(.*\/next\.html\)\.$/],
    ],
    ['variants', '1.0', '1.2', ''],
    ['variants', '1.0-alpine', '1.1-alpine', ''],
    ['prefixed', 'v1.0', 'v1.1', ''],
    ['worded', '1.0.Final', '1.1.Final', ''],
  ];
  let run: Run;
  let bodies: string[];
  beforeAll(async () => {
    const Dockerfile = writePins(proposals.map(([name, pin]) => [name, pin]));
    const config = { extends: [preset], packageRules: [apart] };
    run = await runRenovate({ 'renovate.json': config, Dockerfile }, site.origin);
    bodies = await writePullRequests(run.branches);
  });

  test.each(proposals)(
    '%s %s gets "%s", the labels "%s" and their sentences',
    (name, pin, proposed, labels, ...notes) => {
      const lookups = run.lookups.filter((each) => each.name === name && each.pin === pin);
      const place = run.branches.findIndex(
        ([first]) => first?.depName === name && first.currentValue === pin,
      );
      const sentences = bodies[place]?.match(/^\*\*\[.*$/gm) ?? [];

      expect(lookups.map((each) => each.proposed.join(' '))).toEqual([proposed]);
      expect([...new Set(run.branches[place]?.[0]?.addLabels)].sort().join(' ')).toBe(labels);
      expect(sentences).toEqual(notes.map((note) => expect.stringMatching(note)));
    },
  );
});

test.each([
  ['holds a release, but not a fix that the definition states', [], ['2025.2.1']],
  [
    'ends by a rule of the reader',
    [{ matchDatasources: ['custom.index'], minimumReleaseAge: '0 days' }],
    expect.arrayContaining(['2026.1']),
  ],
])('a waiting time of the reader %s', async (_, packageRules, proposed) => {
  const config = { extends: [preset], minimumReleaseAge: '10 days', packageRules };
  const files = { 'renovate.json': config, Dockerfile: writePins([['svc', '2025.1']]) };
  const { lookups } = await runRenovate(files, site.origin);

  expect(lookups).toContainEqual(expect.objectContaining({ name: 'svc', proposed }));
});

test('the preset for days ends a waiting time for an image of a registry that states none', async () => {
  const days = `${site.origin}/renovate/days.json`;
  const config = { extends: [preset, days], minimumReleaseAge: '14 days' };
  const files = { 'renovate.json': config, Dockerfile: 'FROM ghcr.io/example/image:1.0.0\n' };
  const { lookups, attempts } = await runRenovate(files, site.origin);

  expect(lookups).toContainEqual(
    expect.objectContaining({ file: 'Dockerfile', proposed: ['1.1.0'] }),
  );
  expect(attempts).toEqual([]);
});

interface Configuration {
  extends?: string[];
  packageRules?: object[];
}

/** Renovate's answer about packages in its own managers, without what the preset adds. */
async function look(own: Configuration, ...presets: string[]): Promise<unknown[]> {
  const registry = { matchDatasources: ['npm'], registryUrls: [`${site.origin}/npm/`] };
  const files = {
    'renovate.json': {
      ...own,
      extends: [...(own.extends ?? []), ...presets],
      packageRules: [registry, apart, ...(own.packageRules ?? [])],
    },
    'package.json': { dependencies: { '@example/server': '2025.1.0', other: '1.0.0' } },
    'b/package.json': { devDependencies: { '@example/server': '^2025.2.0' } },
  };
  const { branches, packageFiles } = await runRenovate(files, site.origin);
  const added =
    /^(?:addLabels|prBodyNotes|prBodyDefinitions|customDatasources|customManagers|baseDeps|\$schema)$/;
  const updates = branches
    .flat()
    .map((upgrade) =>
      Object.fromEntries(Object.entries(upgrade).filter(([key]) => !added.test(key))),
    );
  return [packageFiles.filter(({ packageFile }) => packageFile !== 'renovate.json'), updates];
}

describe('packages that Renovate finds by itself', () => {
  const packages = {
    '@example/server': { '2025.1.0': 600, '2025.2.0': 500, '2025.2.1': 3, '2026.1.0': 2 },
    other: { '1.0.0': 600, '1.1.0': 500 },
  };
  beforeAll(() => {
    for (const [name, ages] of Object.entries(packages)) {
      const releases = Object.entries(ages);
      const document = {
        name,
        'dist-tags': { latest: releases.at(-1)![0] },
        versions: Object.fromEntries(releases.map(([version]) => [version, { version }])),
        time: Object.fromEntries(
          releases.map(([version, age]) => [version, `${daysAgo(age)}T00:00:00.000Z`]),
        ),
      };
      site.files.set(`npm/${name.replace('/', '%2F')}`, JSON.stringify(document));
    }
  });

  test.each<[string, Configuration & Record<string, unknown>]>([
    ['none', {}],
    ['an age', { minimumReleaseAge: '10 days' }],
    ['groups', { packageRules: [{ matchManagers: ['npm'], groupName: 'all' }] }],
    [
      'automerge',
      { automerge: true, packageRules: [{ matchUpdateTypes: ['minor'], automerge: false }] },
    ],
    [
      'allowedVersions',
      { packageRules: [{ matchPackageNames: ['@example/server'], allowedVersions: '<2026' }] },
    ],
    ['digests and pins', { extends: ['docker:pinDigests'], rangeStrategy: 'pin' }],
    ['a disabled package', { packageRules: [{ matchPackageNames: ['other'], enabled: false }] }],
  ])('get the same proposals with the preset, under rules of the reader: %s', async (_, own) => {
    const without = await look(own);

    expect(await look(own, preset)).toEqual(without);
    expect(JSON.stringify(without)).toContain('2025.2.');
  });
});

describe('of the example', () => {
  const example = renderFiles(loadExample());

  test("Renovate's strict validator accepts both presets", () => {
    const { code, output } = validateConfigs({
      'renovate.json': example.get('renovate.json')!,
      'days.json': example.get('renovate/days.json')!,
    });

    expect([code, output.includes('WARN') ? output : '']).toEqual([0, '']);
  });

  test("Renovate's own schema reads every field of every release file", async () => {
    const { ReleaseResultZod } = await importRenovate<any>('modules/datasource/custom/schema.js');

    for (const name of JSON.parse(example.get('index.json')!)) {
      const file = JSON.parse(example.get(`${name}.json`)!);
      // Renovate adds milliseconds to an instant, and null where there is none.
      const text = JSON.stringify(ReleaseResultZod.parse(file)).replaceAll('.000Z', 'Z');

      expect(
        JSON.parse(text, (_, value) => value ?? undefined),
        name,
      ).toEqual(file);
    }
  });
});
