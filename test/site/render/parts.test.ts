import { describe, expect, it } from 'vitest';
import { openParts } from '../../../src/site/render/documents/document-parts.ts';
import { AllFile } from '../../../src/core/schemas/published/release-documents.ts';
import { covers } from '../../harness/covers.ts';

const document = (size: number) => ({
  homepage: `https://example.com/${'x'.repeat(size)}`,
  changelogUrl: 'https://example.com/changelog',
  releases: [],
});
const documents = new Map(
  ['cli', 'edge-node', 'svc', 'svcctl'].map((name, index) => [
    name,
    `${JSON.stringify(document(100 * index))}\n`,
  ]),
);

function textsOf(names: Iterable<string>, limit?: number): [path: string, text: string][] {
  const texts: [string, string][] = [];
  const parts = openParts('all', ({ path, body }) => texts.push([path, body.toString()]), limit);
  for (const name of names) {
    parts.add(name, documents.get(name)!);
  }
  parts.finish();
  return texts;
}

function render(limit?: number): Map<string, unknown> {
  return new Map(textsOf(documents.keys(), limit).map(([path, text]) => [path, JSON.parse(text)]));
}

describe('all.json', () => {
  const whole = Object.fromEntries(
    Array.from(documents, ([name, text]) => [name, JSON.parse(text) as unknown]),
  );

  it('is one document if everything fits', () => {
    expect(render()).toEqual(new Map([['all.json', { components: whole }]]));
    expect(textsOf([])).toEqual([['all.json', '{"components": {}}\n']]);
  });

  it('otherwise lists its parts, with the same components in the same order', () => {
    covers('Above 20 MiB it lists parts of the same shape, in which the components stand.');
    const files = render(800);
    const { components, parts } = AllFile.parse(files.get('all.json'));

    expect(components).toEqual({});
    // A reader meets it before the empty list of components.
    expect(Object.entries(files.get('all.json') as object)[0]).toEqual(['isComplete', false]);
    expect(parts).toEqual(['all/1.json', 'all/2.json']);
    const united = parts!.flatMap((path) =>
      Object.entries(AllFile.parse(files.get(path)).components),
    );
    expect(united).toEqual(Object.entries(whole));
    expect(files.size).toBe(3);
  });

  it('has a separate part for a component that exceeds a part', () => {
    expect([...render(1).keys()]).toEqual([
      'all/1.json',
      'all/2.json',
      'all/3.json',
      'all/4.json',
      'all.json',
    ]);
  });
});
