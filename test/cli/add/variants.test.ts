import { expect, test } from 'vitest';
import { proposeVersions } from '../../../src/cli/add/variants.ts';
import { compilePattern } from '../../../src/core/pattern.ts';

const list = (text: string) => text.split(' ').filter(Boolean);

test.each<[tags: string, kept: string | undefined, note?: string]>([
  ['1.2 1.3 1.4-rc.1 latest', undefined],
  // The suffix of all tags stays a part of their versions.
  ['1.2-ce.0 1.3-ce.0 latest', undefined],
  ['1.2-alpine3.18 1.3-alpine3.19 alpine', undefined],
  // These suffixes are no variants.
  ['1.2.Final 1.3.Final 1.4.CR1', undefined],
  ['1.2 1.3_build.5 1.4-2 1.0.2b 1.5-r3', undefined],
  ['1.2 1.2-alpine 1.3 1.3-alpine latest alpine', '1.2 1.3', '2 tags (-alpine)'],
  ['1.2 1.2-slim 1.2-alpine 1.3 1.3-alpine', '1.2 1.3', '3 tags (-alpine, -slim)'],
  ['v1.2 v1.2-alpine v1.3 1.3', 'v1.2 v1.3 1.3', '1 tag (-alpine)'],
  [
    '1.2 1.3-rc.1 1.3-rc2 1.3-2 1.3.Final 1.3-rc.1-alpine 1.2-amd64 1.3-amd64',
    '1.2 1.3-rc.1 1.3-rc2 1.3-2 1.3.Final',
    '3 tags (-amd64, -rc.1-alpine)',
  ],
  // A new version may be there only as a variant on its first day.
  ['2.0 2.0-alpine 2.1 2.1-alpine 3.0-alpine', '2.0 2.1', '3 tags (-alpine)'],
])('the definition of an image with the tags %s keeps %s', (tags, kept, note) => {
  const { extractVersion, notes } = proposeVersions(list(tags));
  const names = list(tags).filter(
    (tag) => extractVersion !== undefined && compilePattern(extractVersion).test(tag),
  );

  expect(names.join(' ') || undefined).toBe(kept);
  expect(notes).toEqual(
    note === undefined
      ? []
      : [expect.stringContaining(`keeps plain versions, and leaves out ${note}. To add a variant`)],
  );
});

test.each([
  // The plain tags move.
  '8 21 21.0.4_7-jdk 21.0.5_11-jdk 8u422-jdk 21.0.4_7-jre',
  '1.2-jammy 1.2-noble 1.3-noble',
])('no pattern leaves out the only tags of releases: %s', (tags) => {
  const { extractVersion, notes } = proposeVersions(list(tags));

  expect(extractVersion).toBeUndefined();
  expect(notes).toEqual([expect.stringMatching(/^sources: most tags are variants \(.*each is /)]);
});

test('a note contains the pattern for a variant, as it stands in a definition', () => {
  const [note = ''] = proposeVersions(list('v1.2 v1.2-alpine3.18')).notes;
  const [, text = ''] = /"extractVersion": (".*")$/.exec(note)!;
  const { matchAll } = compilePattern(JSON.parse(text) as string);

  expect([...matchAll('v1.2-alpine3.18')][0]?.['version']).toBe('v1.2');
  expect([...matchAll('v1.2')]).toEqual([]);
});

test('plain versions stay with more kinds of suffixes than JavaScript can search safely', () => {
  const shapes = ['rc', 'beta', 'alpha', 'pre', 'dev', 'ea'];
  const tags = shapes.flatMap((word) => ['1.2', '1.2-alpine', `1.2-${word}.1`]);
  const { extractVersion = '' } = proposeVersions(tags);
  const { test: matches } = compilePattern(extractVersion);

  expect(tags.filter(matches)).toContain('1.2-rc.1');
  expect(tags.filter(matches).length).toBeGreaterThan(shapes.length);
  expect(matches('1.2-alpine')).toBe(false);
});
