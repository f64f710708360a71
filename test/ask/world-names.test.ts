/** Finds real products by the names and images that people use for them. */
import { expect, test } from 'vitest';
import { listOwners } from '../../src/ask/owners.ts';
import { readList } from '../../src/ask/read-list.ts';
import { findItems } from '../../src/ask/verdicts.ts';
import { judgeComponents, renderFiles } from '../harness/components.ts';
import { products, readAliases } from '../harness/world.ts';

/** The products with aliases whose release lines all have numeric names and end-of-support dates. */
const asked = Object.keys(products).filter(
  (product) =>
    readAliases(product).length > 0 &&
    products[product]!.releases.every(
      ({ releaseCycle, eol }) => /^\d+(?:\.\d+)*$/.test(releaseCycle) && typeof eol === 'string',
    ),
);
const facts = asked.map((product) => {
  const { title, releases } = products[product]!;
  const lines = Object.fromEntries(releases.map(({ releaseCycle, eol }) => [releaseCycle, eol]));
  const definition = {
    title,
    aliases: readAliases(product),
    support: { policy: 'dated', lines },
  };
  return [product, { definition, releases: {} }] as const;
});
const files = renderFiles(judgeComponents(Object.fromEntries(facts)));
const read = (path: string) => JSON.parse(files.get(path)!);
const names = listOwners(read('status.json'));

test('a search finds a product by each of its names and images', async () => {
  const questions = facts.flatMap(([product, { definition }]) => {
    const { title, aliases, support } = definition;
    const [line = ''] = Object.keys(support.lines);
    const texts = aliases.flatMap((alias) => {
      const [, image] = /^pkg:docker\/(.+)$/.exec(alias) ?? [];
      if (image) {
        return `${image}:${line}-alpine`;
      }
      return alias.startsWith('pkg:') ? [] : `${alias} ${line}`;
    });
    return [`${title} ${line}`, `${product} ${line}`, ...texts].map((text) => ({
      text,
      answer: `${product} ${line}`,
    }));
  });
  const { items } = readList(questions.map(({ text }) => text).join('\n'), names);
  const entries = await findItems(items, names, async (name) => read(`details/${name}.json`));
  const wrong = questions.filter(({ answer }, index) => {
    const { match } = entries[index]!;
    return `${match?.component} ${match?.verdict?.line}` !== answer;
  });

  expect(questions.length).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});
