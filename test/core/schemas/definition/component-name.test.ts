import { expect, it } from 'vitest';
import {
  componentName,
  deriveComponentName,
  deriveDocumentName,
  findFormProblem,
  findNameProblem,
} from '../../../../src/core/schemas/definition/component-name.ts';
import { publishedPaths } from '../../../../src/site/render/paths.ts';

it('no component can take the place of a published path', () => {
  const first = publishedPaths
    .map(({ path }) => path.split(/[./]/)[0]!)
    .filter((name) => componentName.test(name));

  expect(first).toContain('changes');
  expect(first.filter((name) => findNameProblem(name) === undefined)).toEqual([]);
});

it.each(['mcp', 'export', 'packages', 'search'])(
  'nor of %s, which the host answers by itself',
  (name) => {
    expect(findNameProblem(name)).toContain(`the name "${name}" belongs to a published path`);
  },
);
it.each([
  ['-agent', '"-agent"'],
  ['a\nb', String.raw`"a\nb"`],
  ['', '""'],
])('a message about the name %j says what to change, in one line', (name, shown) => {
  expect(findFormProblem(name)).toBe(
    `expected a name of lower-case letters, digits and hyphens that begins with a letter or digit; got ${shown}`,
  );
});

it.each([
  ['agent', 'agent'],
  ['@example/Build_Agent', 'example-build-agent'],
  ['@types/node', 'types-node'],
  ['com.example:maven-agent', 'maven-agent'],
  ['group/sub/agent', 'agent'],
  ['github.com/example/agent/v2', 'agent'],
  ['https://git.example.com/group/agent.git', 'agent'],
  ['Example.Agent', 'example-agent'],
  ['~', undefined],
])('a component of %s is called %s', (packageName, name) => {
  expect(deriveComponentName(packageName)).toBe(name);
});

it.each([
  ['https://example.com/agent.json', 'agent'],
  ['https://example.com/agent/releases.json', 'agent'],
  ['https://example.com/releases.json', 'example-com'],
  ['https://example.com/My%20Agent.json', 'my-agent'],
  ['https://example.com/agent/日本.json', 'agent'],
  ['https://example.com/日本.json', 'example-com'],
  ['lists/agent/index.csv', 'agent'],
  ['lists/agent/日本.csv', 'agent'],
  ['./agent.csv', 'agent'],
  ['100%agent.csv', '100-agent'],
  ['releases.csv', undefined],
  ['-', undefined],
])('a component of the document %s is called %s', (document, name) => {
  expect(deriveDocumentName(document)).toBe(name);
});
