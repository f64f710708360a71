import { expect, test } from 'vitest';
import { renderAll, renderNames, renderReleaseFile } from '../../../src/site/documents/releases.ts';
import { judgeComponents } from '../../harness/components.ts';
import { exampleDays, loadExample, readPublished } from '../../harness/example.ts';

test.each(exampleDays)(
  'release files of the example on %s are byte for byte those known',
  (day) => {
    const { components } = loadExample(day);
    const files = components.map(
      (component) => [component.component, renderReleaseFile(component)] as const,
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
  const [component] = judgeComponents({ svc: { definition, releases } }).components;

  expect(renderReleaseFile(component!)).toContain(
    `{"version":"1.0-rc1","isDeprecated":false,"isStable":false,"digest":"${hex}"}`,
  );
  expect(component!.releases[0]!.digest).toBe(`sha256:${hex}`);
});
