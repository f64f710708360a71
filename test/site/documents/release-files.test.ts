import { expect, test } from 'vitest';
import {
  findBehind,
  renderAll,
  renderFileOfName,
  renderLatest,
  renderNames,
  renderReleaseFile,
} from '../../../src/site/documents/release-files.ts';
import { judgeComponents } from '../../harness/components.ts';
import { exampleDays, loadExample, readPublished } from '../../harness/example.ts';
import { judgeOn, readReleases, release, statedPolicy } from '../../harness/judging.ts';

test.each(exampleDays)(
  'the release files of the example on the date %s are identical to the recorded files',
  (day) => {
    const { components } = loadExample(day);
    const files = components.map(
      (component) => [component.component, renderReleaseFile(component, day)] as const,
    );

    expect({
      ...Object.fromEntries(files.map(([name, body]) => [`${name}.json`, body])),
      'all.json': [...renderAll(new Map(files))].join(''),
      'index.json': renderNames(components),
    }).toEqual(Object.fromEntries(readPublished(day)));
  },
);

test('the example has recorded release files for exactly three dates', () => {
  expect(exampleDays).toHaveLength(3);
});

test('a release file contains digests without the prefix "sha256:"', () => {
  const hex = 'ab'.repeat(32);
  const releases = [{ version: '1.0-rc1', sources: [], digest: `sha256:${hex}` }];
  const definition = { prereleases: true };
  const { asOf, components } = judgeComponents({ svc: { definition, releases } });
  const [component] = components;

  expect(renderReleaseFile(component!, asOf)).toContain(
    `{"version":"1.0-rc1","isDeprecated":false,"isStable":false,"digest":"${hex}"}`,
  );
  expect(component!.releases[0]!.digest).toBe(`sha256:${hex}`);
});

test.each<[key: string, what: string, state: object]>([
  ['digests', 'no named file', { digests: ['sha512:ab'] }],
  ['digests', 'a SHA-256', { digests: ['sha1:ab', 'sha256:ab'], digest: 'sha256:ab' }],
  ['files', 'named files', { files: { amd64: 'sha256:ab' }, hasAllFiles: true }],
])('the latest release has its digests once, in "%s", if it has %s', (key, _, state) => {
  const recorded = { digests: ['sha256:ab'], ...state };
  const [, latest] = renderLatest(
    'svc',
    judgeOn('2026-11-27', [release('1.0', undefined, recorded)]),
  );
  const document = JSON.parse(latest![1] as string);

  expect(document).toMatchObject(state);
  expect(['digests', 'files'].filter((each) => each in document)).toEqual([key]);
});

test("a file's release list leaves out releases with missing files", () => {
  const hex = (letter: string) => letter.repeat(64);
  const state = (a?: string, b?: string, hasAllFiles?: true) => {
    const digests = Object.entries({ a, b }).filter(([, letter]) => letter !== undefined);
    const files = digests.map(([name, letter]) => [name, `sha256:${hex(letter!)}`]);
    return { files: Object.fromEntries(files), hasAllFiles };
  };
  const releases = [
    release('1.0', undefined, { digest: `sha256:${hex('d')}` }),
    // This release was recorded before the definition had the second file name.
    release('1.1', undefined, state('1', undefined, true)),
    release('1.2', undefined, state('2', 'e', true)),
    release('1.3', undefined, state('3')),
  ];
  const judged = judgeOn(day, releases);
  const list = (name: string) => {
    const { tags, releases: own } = JSON.parse(renderFileOfName(judged, name, day)) as Listed;
    return [tags?.latest, ...own.map(({ version, digest }) => `${version} ${digest?.[0]}`)];
  };

  expect(judged.files).toEqual(['a', 'b']);
  expect(list('a')).toEqual(['1.2', '1.1 1', '1.2 2']);
  expect(list('b')).toEqual(['1.2', '1.2 e']);
  expect(list('c')).toEqual([undefined]);
  expect(JSON.parse(renderReleaseFile(judged, day))).toMatchObject({
    tags: { latest: '1.3' },
    releases: [{ digest: hex('d') }, {}, {}, {}],
  });
});

interface Listed {
  tags?: { latest: string };
  releases: { version: string; digest?: string }[];
}

const day = '2026-11-27';
const [past, ahead] = ['2026-01-01', '2028-01-01'];
const listed = readReleases('1.0, 1.0.1, 1.1, 1.2-rc1, 1.2, 1.3');

/** For each line, its last day of support, if there is one, and the start of its long-term support. */
test.each<
  [title: string, lines: Record<string, { until?: string; lts?: true | string }>, tag?: string]
>([
  ['no tag if no line has long-term support', { '1.0': { until: ahead } }],
  [
    'the newest line with long-term support',
    { '1.0': { until: ahead, lts: true }, '1.1': { lts: past }, '1.3': {} },
    '1.1',
  ],
  [
    'an older line while the long-term support of a newer one has not begun',
    { '1.0': { lts: true }, '1.3': { until: ahead, lts: ahead } },
    '1.0.1',
  ],
  [
    'an older line after the newer one has ended',
    { '1.0': { until: ahead, lts: true }, '1.1': { until: past, lts: true } },
    '1.0.1',
  ],
  ['no tag if all lines with long-term support have ended', { '1.0': { until: past, lts: true } }],
])('the tag "lts" names %s', (_, given, tag) => {
  const lines = Object.entries(given).map(([line, { until, lts }]) => {
    return { line, phases: [{ name: 'support', until }], lts };
  });
  const judged = judgeOn(day, listed, { support: statedPolicy }, { lines });
  const { tags } = JSON.parse(renderReleaseFile(judged, day));

  expect(tags).toEqual({ latest: '1.3', ...(tag && { lts: tag }) });
});

test.each([
  ['2026-11-30', 0],
  ['2026-12-01', 1],
])(
  'on %s, %i components are reported whose newest release has lacked a file for over 30 days',
  (on, count) => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const releases = [
      release('1.0', '2026-01-01', { files: { a: digest, b: digest }, hasAllFiles: true }),
      release('1.1', '2026-10-31', { files: { a: digest }, firstSeen: '2026-10-31' }),
    ];
    const sources = [
      { datasource: 'github-releases', packageName: 'a/tool', digestOf: { a: 'a', b: 'b' } },
    ];
    const index = judgeComponents({ tool: { definition: { sources }, releases } }, on);

    expect([...findBehind(index)].map(({ message }) => message)).toHaveLength(count);
  },
);
