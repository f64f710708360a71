import { describe, expect, it } from 'vitest';
import { renderAllFiles } from '../../src/render/release-file.ts';
import { AllFile } from '../../src/model/published/release-file.ts';
import { textOf } from './sites.ts';

const document = (size: number) => ({
  homepage: `https://example.com/${'x'.repeat(size)}`,
  changelogUrl: 'https://example.com/changelog',
  releases: [],
});
const documents = ['cli', 'edge-node', 'svc', 'svcctl'].map((name, index): [string, Buffer] => [
  name,
  Buffer.from(`${JSON.stringify(document(100 * index))}\n`),
]);

function render(limit?: number): Map<string, unknown> {
  return new Map(
    Array.from(renderAllFiles(documents, limit), ({ path, body }) => [path, JSON.parse(textOf(body))]),
  );
}

describe('all.json', () => {
  const whole = Object.fromEntries(
    documents.map(([name, bytes]) => [name, JSON.parse(bytes.toString()) as unknown]),
  );

  it('is one document as long as there is room', () => {
    expect(render()).toEqual(new Map([['all.json', { components: whole }]]));
    expect(Array.from(renderAllFiles([]), ({ body }) => textOf(body))).toEqual(['{"components": {}}\n']);
  });

  it('lists its parts beyond that, which hold the same components in the same order', () => {
    const files = render(800);
    const { components, parts } = AllFile.parse(files.get('all.json'));

    expect(components).toEqual({});
    expect(parts).toEqual(['all/1.json', 'all/2.json']);
    const united = parts!.flatMap((path) => Object.entries(AllFile.parse(files.get(path)).components));
    expect(united).toEqual(Object.entries(whole));
    expect(files.size).toBe(3);
  });

  it('gives a component that is too long for a part a part of its own', () => {
    expect([...render(1).keys()]).toEqual([
      'all/1.json',
      'all/2.json',
      'all/3.json',
      'all/4.json',
      'all.json',
    ]);
  });
});
