import { expect, test } from 'vitest';
import { computeDetailsOn } from '../../../src/ask/answers/component-on.ts';
import { listMatches } from '../../../src/ask/answers/match-names.ts';
import { chooseComponent } from '../../../src/ask/answers/choose-component.ts';
import { resolveCandidate } from '../../../src/ask/answers/resolve.ts';
import { describeDetails } from '../../../src/decide/details.ts';
import { componentOf, today } from '../../site/render/sites.ts';

const tools = ['ant', 'bazel', 'buck', 'cargo', 'go', 'gradle', 'grunt', 'helm'];
const components = tools.map((tool) => ({ name: `${tool}-plugin`, title: tool }));
const names = { components, packages: new Map() };
const source = {
  names: async () => names,
  details: async (name: string) => {
    const version = { 'helm-plugin': '9.9.1', 'ant-plugin': '7.5' }[name] ?? '1.0';
    const component = componentOf([{ version }], { title: name }, { name });
    return computeDetailsOn(describeDetails(component), today);
  },
  searchVersion: async (version: string) => (version === '9.9.1' ? ['helm-plugin'] : []),
};

async function readComponents(version: string): Promise<string[]> {
  const candidates = listMatches({ name: 'plugin', version }, names);
  const { choices } = await chooseComponent(source, candidates);
  return choices.map(({ details }) => details.component);
}

test('the only one of many components that has the version is found behind the others', async () => {
  expect(await readComponents('9.9.1')).toEqual(['helm-plugin']);
});

test('a person gets seven of many components to choose from', async () => {
  const choices = await readComponents('2.0');

  expect(choices).toEqual(tools.slice(0, 7).map((tool) => `${tool}-plugin`));
});

test('the only one of the first seven that has the version is not chosen, since another may have it', async () => {
  const candidates = listMatches({ name: 'plugin', version: '7.5' }, names);

  const { resolved, choices } = await chooseComponent(source, candidates);

  expect(resolved).toBeUndefined();
  expect(choices).toHaveLength(7);
});

test('both versions of a question about a package are versions of its component', async () => {
  const { version, to } = await resolveCandidate(source, {
    name: 'helm-plugin',
    reason: 'package',
    version: '9.9.1-alpine',
    to: '9.9.2-alpine',
    extractVersion: '^(?<version>.+)-alpine$',
  });

  expect({ version, to }).toEqual({ version: '9.9.1', to: '9.9.2' });
});
