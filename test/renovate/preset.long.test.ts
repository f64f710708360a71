import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, today, type Day } from '../../src/core/day.ts';
import { renderFiles, type Facts } from '../harness/components.ts';
import { loadExample } from '../harness/example.ts';
import { release } from '../harness/judging.ts';
import { runRenovate, validateConfigs, type Run } from './client.ts';
import { importRenovate } from './install.ts';
import { serveSite, writePins, type ServedSite } from './site.ts';
import { writePullRequests } from './steps.ts';

const now = today();
const daysAgo = (days: number): Day => addDays(now, -days);
/** Converts the age of each version, in days, to a release date. */
const aged = (ages: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(ages).map(([version, age]) => [version, daysAgo(age)]));
const hostile = String.raw`" \ @all #12 https://a.example [x](y) {{newVersion}} <b>`;

const phases = [{ name: 'support', months: 36 }];
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
    releases: aged({
      '2025.1': 600,
      '2025.2': 500,
      '2025.2.1': 3,
      '2026.1': 2,
    }),
  },
  tool: {
    definition: { deprecated: [{ versions: '<1.19', reason: hostile }] },
    releases: aged({ '1.17': 500, '1.18': 400, '1.19': 300 }),
  },
  node: {
    definition: { support: { policy: 'ended' }, replacedBy: 'next' },
    releases: aged({ '20.1': 300 }),
  },
  monolith: {
    definition: {
      support: { policy: 'dated', lines: { '7.0': daysAgo(30), '8.0': addDays(now, 400) } },
      splitInto: ['next', 'prefixed'],
    },
    releases: aged({ '7.0': 300, '8.0': 200 }),
  },
  next: { definition: { title: 'The next' }, releases: aged({ '3.0': 100 }) },
  variants: {
    releases: aged({
      '1.0': 90,
      '1.0-alpine': 90,
      '1.1-alpine': 80,
      '1.2': 70,
    }),
  },
  prefixed: { releases: aged({ 'v1.0': 90, 'v1.1': 80 }) },
  worded: { releases: aged({ '1.0.Final': 90, '1.1.Final': 80 }) },
  maven: {
    releases: aged({
      ...{ '4.0.1.Final': 90, '4.0.1.Final-jre': 90, '4.1.0': 80 },
      ...{ '4.0.2.Final-jre': 70, '4.0.3-jre': 70 },
    }),
  },
  // There is no plain version beside these variants.
  guava: {
    releases: aged({
      ...{ '33.0.0-jre': 90, '33.0.0-android': 90, '33.1.0-jre': 80, '33.1.0-android': 80 },
    }),
  },
  alpine: { releases: aged({ '2.0-alpine': 90, '2.1-alpine': 80, '3.0': 10 }) },
  spring: { releases: aged({ '5.3.RELEASE': 90, '5.4.RELEASE': 80, '6.0': 10 }) },
  python: { releases: aged({ '1.0': 90, '1.0.post1': 85, '1.1': 80 }) },
  chart: {
    definition: { deprecated: [{ versions: '=1.2.0_build.5', reason: 'Use 1.3' }] },
    releases: aged({ '1.2.0_build.5': 90, '1.2.1': 80, '1.3.0_build.6': 70 }),
  },
  quiet: {
    definition: { support: { policy: 'term', phases, lts: { lines: ['1.0', '1.2'], phases } } },
    releases: aged({ '1.0': 850, '1.1': 840, '1.2': 830, '1.2.1': 820, '1.3': 800 }),
  },
  proven: {
    releases: ['1.0', '1.1', '2.0'].map((version, place) =>
      release(version, daysAgo(90 - place), { hasProvenance: version === '1.0' }),
    ),
    journal: [
      ...['1.0', '1.1', '2.0'].map((version) => ({
        ...{ type: 'released', on: daysAgo(90), at: `${daysAgo(80)}T00:00:00Z` },
        ...{ version, line: version },
      })),
      { type: 'unproven', on: now, at: `${now}T00:00:00Z`, version: '2.0', from: '1.0' },
    ],
  },
  silent: { releases: aged({ '1.0': 800 }) },
  library: {
    definition: {
      sources: [{ datasource: 'npm', packageName: '@example/library' }],
      support: {
        policy: 'dated',
        // Line 14 has long-term support, so it ends after 16, 17 and 18.
        lines: {
          14: addDays(now, 200),
          16: daysAgo(900),
          17: daysAgo(300),
          18: daysAgo(20),
          19: addDays(now, 400),
        },
        url: 'https://example.com/ends',
      },
    },
    releases: aged({
      ...{
        '14.0.0': 2000,
        '16.0.0': 1900,
        '17.0.0': 1300,
        '17.1.0': 1200,
        '18.2.0': 800,
        '18.3.1': 500,
      },
      '19.1.0': 100,
    }),
  },
};

let site: ServedSite;
let preset: string;
beforeAll(async () => {
  site = await serveSite(components, now);
  preset = `${site.origin}/renovate.json`;
});

/** A package rule that gives each pin a pull request of its own. */
const apart = {
  matchPackageNames: ['*'],
  additionalBranchPrefix: '{{depName}}-{{currentValue}}-',
  separateMajorMinor: false,
};

const ended = /: Support of this version ended/;
const next = /: Support of the proposed version: until \d{4}-\d\d-\d\d\.$/;

describe('a version below a Renovate comment', () => {
  const proposals: [name: string, pin: string, proposed: string, labels: string, ...RegExp[]][] = [
    ['svc', '2025.1', '2026.1', 'unsupported', ended, next],
    ['svc', 'v2025.1.9', 'v2026.1', 'unsupported', ended, next],
    [
      'svc',
      '2025.2',
      '2026.1',
      'security support-ends',
      /: Support: until \d{4}-\d\d-\d\d\./,
      next,
      /: Affected by CVE-2026-1 \(high\)\.$/,
    ],
    [
      'tool',
      '1.17',
      '1.19',
      'deprecated',
      /: Deprecated: &#34; &#92; @&#8203;all #&#8203;12 https:&#8203;\/\/a\.example &#91;x&#93;\(y\) &#123;&#123;newVersion&#125;&#125; &#60;b&#62;\.$/,
    ],
    ['tool', '1.19', '', ''],
    [
      'node',
      '20.1',
      'next@3.0',
      'unsupported',
      ended,
      /: Replaced by \[The next\]\(.*\/next\.html\)\.$/,
    ],
    [
      'monolith',
      '7.0',
      '8.0',
      'unsupported',
      ended,
      next,
      /: Split into \[The next\]\(.*\/next\.html\) and \[The prefixed\]\(.*\/prefixed\.html\)\.$/,
    ],
    ['monolith', '8.0', '', ''],
    ['variants', '1.0', '1.2', ''],
    ['variants', '1.0-alpine', '1.1-alpine', ''],
    ['prefixed', 'v1.0', 'v1.1', ''],
    ['worded', '1.0.Final', '1.1.Final', ''],
    ['maven', '4.0.1.Final', '4.1.0', ''],
    ['maven', '4.0.1.SP1', '4.1.0', ''],
    ['maven', '4.0.1.GA-SP.2', '4.1.0', ''],
    ['maven', '4.0.1.Final-jre', '4.0.2.Final-jre', ''],
    ['guava', '33.0.0-jre', '33.1.0-jre', ''],
    ['guava', '33.0.0-android', '33.1.0-android', ''],
    ['alpine', '2.0-alpine', '2.1-alpine', ''],
    ['spring', '5.3.RELEASE', '6.0', ''],
    ['python', '1.0.post1', '1.1', ''],
    ['chart', '1.2.0+build.5', '1.3.0_build.6', 'deprecated', /: Deprecated: Use 1\.3\.$/],
    ['chart', '1.2.0_build.5', '1.3.0_build.6', 'deprecated', /: Deprecated: Use 1\.3\.$/],
    [
      'proven',
      '1.0',
      '2.0',
      'security',
      /: The proposed version was published without provenance, unlike 1\.0\.$/,
    ],
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
    'gets an update with labels and notes: component %s, from %s to "%s", labels "%s"',
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

test("a waiting time in a reader's Renovate configuration delays ordinary releases, but not a release that fixes an advisory", async () => {
  const config = { extends: [preset], minimumReleaseAge: '10 days' };
  const files = { 'renovate.json': config, Dockerfile: writePins([['svc', '2025.1']]) };
  const { lookups } = await runRenovate(files, site.origin);

  expect(lookups).toContainEqual(expect.objectContaining({ name: 'svc', proposed: ['2025.2.1'] }));
});

test.each([
  ['config:recommended', [undefined, undefined]],
  ['config:best-practices', [undefined, true]],
])(
  'with the preset %s, Renovate does not call a supported component abandoned',
  async (own, abandoned) => {
    const pins = [
      ['quiet', '1.3'],
      ['silent', '1.0'],
    ] as const;
    const config = { extends: [own, preset], dependencyDashboard: false };
    const files = { 'renovate.json': config, Dockerfile: writePins(pins) };
    const { packageFiles, problems } = await runRenovate(files, site.origin);
    const { deps } = packageFiles.find(({ packageFile }) => packageFile === 'Dockerfile')!;

    expect(deps.map(({ isAbandoned }) => isAbandoned)).toEqual(abandoned);
    expect(problems).toEqual([]);
  },
);

test('with followTag "lts", Renovate proposes the newest version with long-term support', async () => {
  const packageRules = [apart, { matchPackageNames: ['quiet'], followTag: 'lts' }];
  const Dockerfile = writePins([
    ['quiet', '1.0'],
    ['quiet', '1.1'],
    ['quiet', '1.3'],
  ]);
  const files = { 'renovate.json': { extends: [preset], packageRules }, Dockerfile };
  const { lookups } = await runRenovate(files, site.origin);
  const own = lookups.filter(({ name }) => name === 'quiet');

  expect(own.map(({ proposed }) => proposed)).toEqual([['1.2.1'], ['1.2.1'], []]);
});

/**
 * Returns the packages and updates that Renovate finds in two package.json files without comments. Leaves out labels, notes and other keys
 * that the preset adds.
 */
async function look(own: Record<string, any>, ...presets: string[]): Promise<unknown> {
  const registry = { matchDatasources: ['npm'], registryUrls: [`${site.origin}/npm/`] };
  const files = {
    'renovate.json': {
      ...own,
      extends: [...(own['extends'] ?? []), ...presets],
      packageRules: [registry, apart, ...(own['packageRules'] ?? [])],
    },
    'package.json': { dependencies: { '@example/server': '2025.1.0', other: '1.0.0' } },
    'b/package.json': { devDependencies: { '@example/server': '^2025.2.0' } },
  };
  const { branches, packageFiles } = await runRenovate(files, site.origin);
  const added =
    /^(?:addLabels|prBodyNotes|prBodyDefinitions|customDatasources|customManagers|baseDeps|\$schema)$/;
  const others = packageFiles.filter(({ packageFile }) => packageFile !== 'renovate.json');
  const text = JSON.stringify(branches, (key, value) => (added.test(key) ? undefined : value));
  return [others, JSON.parse(text)];
}

describe('packages that Renovate finds by itself', () => {
  const packages = {
    '@example/server': { '2025.1.0': 600, '2025.2.0': 500, '2025.2.1': 3, '2026.1.0': 2 },
    other: { '1.0.0': 600, '1.1.0': 500 },
  };
  beforeAll(() => {
    for (const [name, ages] of Object.entries(packages)) {
      const versions = Object.keys(ages);
      const document = {
        name,
        'dist-tags': { latest: versions.at(-1) },
        versions: Object.fromEntries(versions.map((version) => [version, { version }])),
        time: aged(ages),
      };
      site.files.set(`npm/${name.replace('/', '%2F')}`, JSON.stringify(document));
    }
  });

  test.each<[string, own: object]>([
    ['none', {}],
    ['an age', { minimumReleaseAge: '10 days' }],
    [
      'allowedVersions',
      { packageRules: [{ matchPackageNames: ['@example/server'], allowedVersions: '<2026' }] },
    ],
    ['digests and pins', { extends: ['docker:pinDigests'], rangeStrategy: 'pin' }],
    ['a disabled package', { packageRules: [{ matchPackageNames: ['other'], enabled: false }] }],
  ])(
    "get the same proposals with and without the preset, next to the reader's own rules: %s",
    async (_, own) => {
      const without = await look(own);

      expect(await look(own, preset)).toEqual(without);
      expect(JSON.stringify(without)).toContain('2025.2.');
    },
  );
});

describe('a pull request to an ended line', () => {
  const versions = ['14.0.0', '16.0.0', '17.0.0', '17.1.0', '18.2.0', '18.3.1', '19.1.0'];
  const proposedEnded = 'Support of the proposed version has ended. Move to 19.1.0.';
  const proposed19 = `Support of the proposed version: until ${addDays(now, 400)}.`;
  const endedOn = (line: number, day: Day) =>
    `Support of this version ended ${day}. End of support of ${line}: ${day}, according to example.com.`;
  let bodies: Map<string, string>;
  beforeAll(async () => {
    const document = {
      name: '@example/library',
      'dist-tags': { latest: '19.1.0' },
      versions: Object.fromEntries(versions.map((version) => [version, { version }])),
      time: Object.fromEntries(versions.map((version) => [version, daysAgo(90)])),
    };
    site.files.set('npm/@example%2Flibrary', JSON.stringify(document));
    const registry = { matchDatasources: ['npm'], registryUrls: [`${site.origin}/npm/`] };
    const config = {
      extends: [preset],
      packageRules: [registry, { ...apart, separateMajorMinor: true, separateMultipleMajor: true }],
    };
    const pins = ['14.0.0', '16.0.0', '17.0.0', '18.2.0'].map((version, place) => [
      `${place}/package.json`,
      { dependencies: { '@example/library': version } },
    ]);
    const files = { 'renovate.json': config, ...Object.fromEntries(pins) };
    const { branches } = await runRenovate(files, site.origin);
    const texts = await writePullRequests(branches);
    bodies = new Map(
      branches.map(([first], place) => [
        `${first!.currentValue} ${first!.newValue}`,
        texts[place]!,
      ]),
    );
  });

  test.each([
    ['18.2.0', '18.3.1', [endedOn(18, daysAgo(20)), proposedEnded]],
    ['18.2.0', '19.1.0', [endedOn(18, daysAgo(20)), proposed19]],
    ['17.0.0', '17.1.0', [endedOn(17, daysAgo(300)), proposedEnded]],
    ['17.0.0', '18.3.1', [endedOn(17, daysAgo(300)), proposedEnded]],
    ['16.0.0', '17.1.0', [expect.stringMatching(/^Support of this version ended /), proposedEnded]],
    ['14.0.0', '18.3.1', [expect.stringMatching(/^Support: until /), proposedEnded]],
    ['14.0.0', '19.1.0', [expect.stringMatching(/^Support: until /), proposed19]],
  ])('from %s to %s says that support has ended, and where to move', (pin, proposed, words) => {
    const notes = bodies
      .get(`${pin} ${proposed}`)
      ?.matchAll(/^\*\*\[The library\]\(\S+\)\*\*: (.*)$/gm);

    expect(Array.from(notes ?? [], ([, text]) => text)).toEqual(words);
  });
});

describe("the example's site", () => {
  const example = renderFiles(loadExample());

  test("has presets that Renovate's strict validator accepts", () => {
    const output = validateConfigs({
      'renovate.json': example.get('renovate.json')!,
      'days.json': example.get('renovate/days.json')!,
    });

    expect(output).not.toContain('WARN');
  });

  test("has only release files that match Renovate's own schema", async () => {
    const { ReleaseResultZod } = await importRenovate<any>('modules/datasource/custom/schema.js');

    for (const name of JSON.parse(example.get('index.json')!)) {
      const file = JSON.parse(example.get(`${name}.json`)!);
      // Renovate adds milliseconds to a timestamp, and writes null for a missing timestamp.
      const text = JSON.stringify(ReleaseResultZod.parse(file)).replaceAll('.000Z', 'Z');

      expect(
        JSON.parse(text, (_, value) => value ?? undefined),
        name,
      ).toEqual(file);
    }
  });
});
