import { expect, it } from 'vitest';
import { draftDefinition } from '../../../src/record/add/draft-definition.ts';
import type { TypedSource } from '../../../src/record/sources/index.ts';

const links = { homepage: 'https://example.com/', changelogUrl: 'https://example.com/news' };
const context = {
  $schema: 'schema.json',
  component: 'agent',
  defaults: {},
  existing: {},
  isFree: () => true,
};
const source = (packageName: string) => ({ datasource: 'npm', packageName }) as TypedSource;

it('a draft takes the name of the package for a title that the registry does not state, and says so', () => {
  const { written, notes } = draftDefinition(source('@example/agent'), links, {}, context);

  expect(written).toMatchObject({ title: 'agent' });
  expect(notes).toEqual(['title: not stated; used the name']);
});

it('a draft takes the name of the component where a document has no package', () => {
  const document = { datasource: 'json', url: 'https://example.com/releases.json' } as TypedSource;
  const { written, notes } = draftDefinition(document, links, {}, context);

  expect(written).toMatchObject({ title: 'agent' });
  expect(notes).toEqual(['title: not stated; used the name']);
});

it('a draft makes one line that can be read of any text', () => {
  const said = { ...links, title: ` a\u0000\n${'b'.repeat(300)}`, description: '\uD800\r\n' };
  const { written } = draftDefinition(source('agent'), said, {}, context);

  expect(written?.title).toHaveLength(200);
  expect(written?.title).toMatch(/^a b+…$/);
  expect(written?.description).toBe('\uFFFD');
});

it.each([
  ['a long one', 'b'.repeat(300), `${'b'.repeat(199)}…`],
  ['one of two lines', 'b\nb', 'b b'],
  ['an empty one', '', 'agent'],
])('a draft makes a title of that of a product: %s', (_, title, expected) => {
  const { written } = draftDefinition(source('agent'), links, { title }, context);

  expect(written?.title).toBe(expected);
});

it('a draft takes a long name of a package for a title, cut', () => {
  const { written } = draftDefinition(source('b'.repeat(300)), links, {}, context);

  expect(written?.title).toHaveLength(200);
});
