import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, today, type Day } from '../../src/core/day.ts';
import type { Facts } from '../harness/components.ts';
import { exampleDay } from '../harness/example.ts';
import { runRenovate, validateConfigs, type Run } from './client.ts';
import { importRenovate } from './install.ts';
import { writePullRequests } from './pull-request.ts';
import { serveSite, writePins, type ServedSite } from './site.ts';

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
  worded: { releases: { '1.0.Final': daysAgo(90), '1.1.Final': daysAgo(80) } },
};

let site: ServedSite;
beforeAll(async () => {
  site = await serveSite(components, now);
});

/** Each pin has a pull request of its own. */
const apart = {
  matchPackageNames: ['*'],
  additionalBranchPrefix: '{{depName}}-{{currentValue}}-',
  separateMajorMinor: false,
};

describe('below a comment', () => {
  const proposals: [
    name: string,
    pin: string,
    proposed: string[],
    labels: string[],
    notes: RegExp[],
  ][] = [
    [
      'svc',
      '2025.1',
      ['2026.1'],
      ['unsupported'],
      [
        /Support of this version ended/,
        /Support of the proposed version: until \d{4}-\d\d-\d\d\.$/,
      ],
    ],
    [
      'svc',
      'v2025.1.9',
      ['v2026.1'],
      ['unsupported'],
      [/Support of this version ended/, /Support of the proposed version/],
    ],
    [
      'svc',
      '2025.2',
      ['2026.1'],
      ['security', 'support-ends'],
      [
        /: Support: until \d{4}-\d\d-\d\d\./,
        /Support of the proposed version/,
        /Affected by CVE-2026-1 \(high\)\.$/,
      ],
    ],
    [
      'tool',
      '1.17',
      ['1.19'],
      ['deprecated'],
      [
        /: Deprecated: Loses &#34;data&#34; &#92; for @&#8203;all, see #&#8203;12; https:&#8203;\/\/evil\.example\/ and &#91;x&#93;\(y\) &#123;&#123;newVersion&#125;&#125; &#60;b&#62;$/,
      ],
    ],
    ['tool', '1.19', [], [], []],
    ['tool', '1.2', ['1.19'], [], []],
    [
      'node',
      '20.1',
      ['next@3.0'],
      ['unsupported'],
      [/Support of this version ended/, /Replaced by \[The next\]\(.*\/next\.html\)\.$/],
    ],
    ['variants', '1.0', ['1.2'], [], []],
    ['variants', '1.0-alpine', ['1.1-alpine'], [], []],
    ['prefixed', 'v1.0', ['v1.1'], [], []],
    ['worded', '1.0.Final', ['1.1.Final'], [], []],
  ];
  let run: Run;
  let bodies: string[];
  beforeAll(async () => {
    const pins = proposals.map(([name, pin]) => [name, pin] as const);
    const config = { extends: [`${site.origin}/renovate.json`], packageRules: [apart] };
    run = await runRenovate(
      { 'renovate.json': config, Dockerfile: writePins('index', pins) },
      site.origin,
    );
    bodies = await writePullRequests(run.branches);
  });

  test('nothing but the site is asked, and Renovate has no complaint', () => {
    expect([run.problems, run.attempts]).toEqual([[], []]);
  });

  test.each(proposals)(
    '%s %s gets %j, the labels %j and their sentences',
    (name, pin, proposed, labels, notes) => {
      expect(run.lookups.filter((each) => each.name === name && each.pin === pin)).toMatchObject([
        { proposed },
      ]);

      const place = run.branches.findIndex(
        ([first]) => first?.depName === name && first.currentValue === pin,
      );
      const sentences = Array.from(
        (bodies[place] ?? '').matchAll(/^\*\*\[.*$/gm),
        ([line]) => line,
      );
      expect([...new Set(run.branches[place]?.[0]?.addLabels)].sort()).toEqual(labels);
      expect(sentences).toEqual(notes.map((note) => expect.stringMatching(note) as string));
    },
  );
});

describe('a waiting time of the reader', () => {
  const propose = async (more: object = {}) => {
    const config = {
      extends: [`${site.origin}/renovate.json`],
      minimumReleaseAge: '10 days',
      ...more,
    };
    const files = { 'renovate.json': config, Dockerfile: writePins('index', [['svc', '2025.1']]) };
    const { lookups } = await runRenovate(files, site.origin);
    return lookups.find(({ name }) => name === 'svc')!.proposed;
  };

  test('holds a release, but not a fix that the definition states', async () => {
    expect(await propose()).toEqual(['2025.2.1']);
  });

  test('ends by a rule of the reader', async () => {
    const rule = { matchDatasources: ['custom.index'], minimumReleaseAge: '0 days' };

    expect(await propose({ packageRules: [rule] })).toContain('2026.1');
  });
});

/** Renovate's answer about packages in its own managers, without what the preset adds. */
async function look(own: object, presets: string[]): Promise<unknown[]> {
  const registry = {
    packageRules: [{ matchDatasources: ['npm'], registryUrls: [`${site.origin}/npm/`] }, apart],
  };
  const { packageRules = [], ...others } = own as { packageRules?: object[] };
  const config = {
    extends: presets,
    ...others,
    packageRules: [...registry.packageRules, ...packageRules],
  };
  const files = {
    'renovate.json': config,
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
  const versions = ['2025.1.0', '2025.2.0', '2025.2.1', '2026.1.0'];
  const ages = [600, 500, 3, 2];
  beforeAll(() => {
    const files = site.files as Map<string, string>;
    for (const name of ['@example%2Fserver', 'other']) {
      const known = name === 'other' ? ['1.0.0', '1.1.0'] : versions;
      const times = known.map((version, place) => [
        version,
        `${daysAgo(ages[place]!)}T00:00:00.000Z`,
      ]);
      const document = {
        name: decodeURIComponent(name),
        'dist-tags': { latest: known.at(-1) },
        versions: Object.fromEntries(known.map((version) => [version, { version }])),
        time: Object.fromEntries(times),
      };
      files.set(`npm/${name}`, JSON.stringify(document));
    }
  });

  test.each<[string, object]>([
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
    const { extends: presets = [], ...others } = own as { extends?: string[] };
    const without = await look(others, presets);
    const withPreset = await look(others, [...presets, `${site.origin}/renovate.json`]);

    expect(withPreset).toEqual(without);
    expect(JSON.stringify(without)).toContain('2025.2.');
  });
});

test('the preset for days ends a waiting time for an image of a registry that states none', async () => {
  const images = await serveSite(
    {
      server: {
        definition: {
          sources: [
            { datasource: 'docker', packageName: 'example/server', registryUrl: 'https://ghcr.io' },
          ],
        },
        releases: { '1.0.0': daysAgo(90), '1.1.0': daysAgo(30), '1.2.0': daysAgo(2) },
      },
    },
    now,
  );
  const config = {
    extends: ['renovate.json', 'renovate/days.json'].map((path) => `${images.origin}/${path}`),
    minimumReleaseAge: '14 days',
  };
  const files = { 'renovate.json': config, Dockerfile: 'FROM ghcr.io/example/server:1.0.0\n' };

  const { lookups, attempts } = await runRenovate(files, images.origin);

  expect(lookups.find(({ file }) => file === 'Dockerfile')!.proposed).toEqual(['1.1.0']);
  expect(attempts).toEqual([]);
});

describe('of the example', () => {
  let example: ServedSite;
  beforeAll(async () => {
    example = await serveSite(undefined, exampleDay);
  });

  test("Renovate's strict validator accepts both presets", async () => {
    const { code, output } = await validateConfigs({
      'renovate.json': example.files.get('renovate.json')!,
      'days.json': example.files.get('renovate/days.json')!,
    });

    expect([code, output.includes('WARN') ? output : '']).toEqual([0, '']);
  });

  test("Renovate's own schema reads every field of every release file", async () => {
    const { ReleaseResultZod } = await importRenovate<{
      ReleaseResultZod: { parse(document: unknown): object };
    }>('modules/datasource/custom/schema.js');

    for (const name of JSON.parse(example.files.get('index.json')!) as string[]) {
      const file: unknown = JSON.parse(example.files.get(`${name}.json`)!);
      // Renovate adds milliseconds to an instant, and null where there is none.
      const text = JSON.stringify(ReleaseResultZod.parse(file)).replaceAll('.000Z', 'Z');

      expect(
        JSON.parse(text, (_, value: unknown) => value ?? undefined),
        name,
      ).toEqual(file);
    }
  });
});
