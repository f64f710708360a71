import { expect, test } from 'vitest';
import { renderAll, renderNames, renderReleaseFile } from '../../../src/site/documents/releases.ts';
import { judgeComponents } from '../../harness/components.ts';
import { judgeOn, readReleases, statedPolicy } from '../../harness/judging.ts';
import { exampleDays, loadExample, readPublished } from '../../harness/example.ts';

test.each(exampleDays)(
  'release files of the example on %s are byte for byte those known',
  (day) => {
    const { components } = loadExample(day);
    const files = components.map(
      (component) => [component.component, renderReleaseFile(component, day)] as const,
    );

    expect({
      ...Object.fromEntries(files.map(([name, body]) => [`${name}.json`, body])),
      'all.json': renderAll(new Map(files)),
      'index.json': renderNames(components),
    }).toEqual(Object.fromEntries(readPublished(day)));
  },
);

test('release files are known of thirteen days', () => {
  expect(exampleDays).toHaveLength(13);
});

test('a digest is the last key of its release, without its algorithm', () => {
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

const day = '2026-11-27';
const [past, ahead] = ['2026-01-01', '2028-01-01'];
const listed = readReleases('1.0, 1.0.1, 1.1, 1.2-rc1, 1.2, 1.3');

/** By line, its last day (absent: none is stated), and since when it has long-term support. */
test.each<
  [title: string, lines: Record<string, { until?: string; lts?: true | string }>, tag?: string]
>([
  ['none is marked', { '1.0': { until: ahead } }],
  [
    'the newest marked line',
    { '1.0': { until: ahead, lts: true }, '1.1': { lts: past }, '1.3': {} },
    '1.1',
  ],
  [
    'an older line, while a newer one is not yet',
    { '1.0': { lts: true }, '1.3': { until: ahead, lts: ahead } },
    '1.0.1',
  ],
  [
    'an older line, after a newer one',
    { '1.0': { until: ahead, lts: true }, '1.1': { until: past, lts: true } },
    '1.0.1',
  ],
  ['none is left', { '1.0': { until: past, lts: true } }],
])('the tag of long-term support: %s', (_, stated, tag) => {
  const lines = Object.entries(stated).map(([line, { until, lts }]) => {
    return { line, phases: [{ name: 'support', until }], lts };
  });
  const judged = judgeOn(day, listed, { support: statedPolicy }, { lines });
  const { tags } = JSON.parse(renderReleaseFile(judged, day));

  expect(tags).toEqual({ latest: '1.3', ...(tag && { lts: tag }) });
});
