import { describe, expect, test } from 'vitest';
import { renderAll, renderNames, renderReleaseFile } from '../../../src/site/documents/releases.ts';
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
