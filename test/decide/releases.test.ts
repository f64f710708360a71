import { expect, test } from 'vitest';
import { FullDefinition } from '../../src/record/read-definition.ts';
import type { RecordedRelease } from '../../src/core/schemas/recorded/recorded.ts';
import { normaliseReleases } from '../../src/decide/releases.ts';
import { release } from '../harness/judging.ts';
import { definition } from '../harness/root.ts';

function normalise(recorded: readonly RecordedRelease[], about = {}, day = '2026-06-01') {
  const { findings, ...normalised } = normaliseReleases(
    { name: 'svc', definition: FullDefinition.parse(definition(about)) },
    recorded,
    [],
    day,
  );
  return { ...normalised, messages: findings.map(({ message }) => message) };
}

function versions(recorded: readonly RecordedRelease[], day?: string): string[] {
  return normalise(recorded, {}, day).releases.map(({ version }) => version);
}

test('sorts releases oldest first, whatever their recorded order', () => {
  const recorded = ['2025.10', '2025.3', '2025.3.1', '2025.3.0', '2025.3-rc-1'].map((version) =>
    release(version),
  );

  expect(versions(recorded)).toEqual(['2025.3-rc-1', '2025.3', '2025.3.0', '2025.3.1', '2025.10']);
});

test('a release without a day appears no earlier than older versions, the latest of them', () => {
  const recorded = [
    release('1.0', '2026-01-01'),
    release('1.1', '2026-08-01'),
    release('1.2', '2026-03-01'),
    release('1.3'),
  ];

  expect(versions(recorded)).toEqual(['1.0', '1.2']);
  expect(versions(recorded, '2026-08-01')).toEqual(['1.0', '1.1', '1.2', '1.3']);
});

test('further lines are named like the newest line of a source', () => {
  const stated = ['1', '2', '3.1'].map((line) => ({ line, source: 'page', phases: [] }));
  const about = FullDefinition.parse(definition({}));
  const { releases } = normaliseReleases(
    { name: 'svc', definition: about },
    [release('4.5.6')],
    stated,
    '2026-06-01',
  );

  expect(releases.map(({ line }) => line)).toEqual(['4.5']);
});

test('a day becomes its first instant, is published by default, and may be missing', () => {
  const { releases } = normalise([
    release('1.0', '2024-08-19'),
    release('1.1', '2024-09-19T10:11:12.500Z', { timestampKind: 'observed' }),
    release('1.2'),
  ]);

  expect(
    releases.map(({ releaseTimestamp, timestampKind }) => [releaseTimestamp, timestampKind]),
  ).toEqual([
    ['2024-08-19T00:00:00Z', 'published'],
    ['2024-09-19T10:11:12Z', 'observed'],
    [undefined, undefined],
  ]);
});

test('shows the first recorded of two spellings, and reports the other', () => {
  const { releases, messages } = normalise([
    release('v1.0', '2024-01-01'),
    release('1.00'),
    release('1.0-x'),
  ]);

  expect(releases.map(({ version }) => version)).toEqual(['1.0-x', 'v1.0']);
  expect(messages).toEqual([
    '"1.00" and "v1.0" are one version in two spellings. The first recorded stays.',
  ]);
});

test('reports a version that is recorded twice, and keeps the first', () => {
  const { releases, messages } = normalise([
    release('1.0', '2024-01-01'),
    release('1.0', '2025-01-01'),
  ]);

  expect(releases.map(({ releaseDay }) => releaseDay)).toEqual(['2024-01-01']);
  expect(messages).toEqual(['"1.0" is recorded twice. The first recorded stays.']);
});

test.each([
  [['1.0-rc1', '1.0'], '1 recorded release that', '1.0-rc1', 'it'],
  [['1.1-rc1', '1.0-rc1', '1.0'], '2 recorded releases that', '1.0-rc1, 1.1-rc1', 'them'],
])('reports the releases of %j that the definition does not admit', (recorded, size, names, it) => {
  const source = 'npm:svc';
  const about = { sources: [{ datasource: 'npm', packageName: 'svc' }] };

  const { releases, messages, unadmitted } = normalise(
    recorded.map((version) => release(version, undefined, { source })),
    about,
  );

  expect(releases.map(({ version }) => version)).toEqual(['1.0']);
  expect(unadmitted).toEqual(names.split(', '));
  expect(messages).toEqual([
    `the site leaves out ${size} components/svc.json does not admit: ${names}. data/svc.json keeps ${it}.`,
  ]);
});

test('a release without a day came no earlier than older versions', () => {
  const recorded = [
    release('1.0', '2024-06-01'),
    release('1.1', '2024-01-01'),
    release('1.2'),
    release('1.3', '2024-03-01'),
  ];

  expect(versions(recorded, '2024-05-31')).toEqual(['1.1', '1.3']);
  expect(versions(recorded, '2024-06-01')).toEqual(['1.0', '1.1', '1.2', '1.3']);
});

test.each([
  ['the lines of a source', [{ line: '1.0' }, { line: '25' }], ['1.0', '1', '25', '26']],
  ['lines of two digit groups', [{ line: '25' }, { line: '1.0' }], ['1.0', '1.1', '25', '26.1']],
  ['no lines', [], ['1.0', '1.1', '25.2', '26.1']],
])('releases belong to %s, and others to lines of that form', (_, lines, expected) => {
  const recorded = ['1.0.1', '1.1.1', '25.2', '26.1.1'].map((version) => release(version));
  const { releases } = normaliseReleases(
    { name: 'svc', definition: FullDefinition.parse(definition()) },
    recorded,
    lines.map((line) => ({ ...line, phases: [] })),
    '2026-06-01',
  );

  expect(releases.map(({ line }) => line)).toEqual(expected);
});

test('leaves out and reports versions without a place in the order', () => {
  expect(normalise([release('latest'), release('1.0')])).toMatchObject({
    releases: [{ version: '1.0' }],
    messages: ['"latest" has no place in the version order. Left out.'],
  });
});

test('a past day shows no later releases', () => {
  const recorded = [
    release('1.0', '2024-01-01'),
    release('1.1', '2024-06-01T23:59:59Z'),
    release('1.2', undefined, { firstSeen: '2025-01-01' }),
  ];
  const undated = [release('0.9'), ...recorded];

  expect(versions(undated, '2023-12-31')).toEqual(['0.9']);
  expect(versions(recorded, '2024-05-31')).toEqual(['1.0']);
  expect(versions(recorded, '2024-06-01')).toEqual(['1.0', '1.1']);
  expect(versions(recorded, '2025-01-01')).toEqual(['1.0', '1.1', '1.2']);
});

test("a version's own link takes precedence over the template, which applies from its `since`", () => {
  const about = {
    releaseChangelogUrl: {
      template: 'https://example.com/{version}#{versionDashed}',
      since: '1.10',
    },
  };

  const { releases } = normalise(
    [
      release('1.9'),
      release('1.10'),
      release('1.11', undefined, { changelogUrl: 'https://example.com/own' }),
      release('1.12+CU1'),
    ],
    about,
  );

  expect(releases.map(({ changelogUrl }) => changelogUrl)).toEqual([
    undefined,
    'https://example.com/1.10#1-10',
    'https://example.com/own',
    'https://example.com/1.12%2BCU1#1-12%2BCU1',
  ]);
});

test("upstream's prerelease flag takes precedence over the form of the version", () => {
  const { releases } = normalise([
    release('1.0'),
    release('1.1-rc1'),
    release('1.2', undefined, { isPrerelease: true }),
    release('1.3-rc1', undefined, { isPrerelease: false }),
  ]);

  expect(releases.map(({ isPrerelease }) => isPrerelease)).toEqual([false, true, true, false]);
});
