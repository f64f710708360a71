import { describe, expect, test } from 'vitest';
import { renderAll, renderNames, renderReleaseFile } from '../../../src/site/documents/releases.ts';
import { judgeComponents } from '../../harness/components.ts';
import { exampleDays, loadExample, readPublished } from '../../harness/example.ts';

describe('release files', () => {
  test('are known of thirteen days', () => {
    expect(exampleDays).toHaveLength(13);
  });

  test.each(exampleDays)('of the example on %s are those that are known, byte for byte', (day) => {
    const { components } = loadExample(day);

    const files = components.map((component): [string, string] => [
      component.component,
      renderReleaseFile(component, day),
    ]);
    const rendered = new Map([
      ...files.map(([name, body]) => [`${name}.json`, body] as const),
      ['all.json', renderAll(files)],
      ['index.json', renderNames(components)],
    ]);

    expect([...rendered.keys()].sort()).toEqual([...readPublished(day).keys()]);
    for (const [path, body] of readPublished(day)) {
      expect(rendered.get(path), path).toBe(body);
    }
  });
});

test('a digest is the last key of its release, without its algorithm', () => {
  const hex = 'ab'.repeat(32);
  const releases = [{ version: '1.0-rc1', sources: [], digest: `sha256:${hex}` }];
  const definition = { prereleases: true };
  const [component] = judgeComponents({ svc: { definition, releases } }).components;

  const file = renderReleaseFile(component!, '2026-11-27');

  expect(file).toContain(
    `{"version":"1.0-rc1","isDeprecated":false,"isStable":false,"digest":"${hex}"}`,
  );
  expect(component!.releases[0]!.digest).toBe(`sha256:${hex}`);
});
