import { expect, test } from 'vitest';
import { deriveComponentName } from '../../../src/cli/add/draft.ts';

test.each([
  ['agent', 'agent'],
  ['@example/Build_Agent', 'example-build-agent'],
  ['com.example:maven-agent', 'maven-agent'],
  ['group/sub/agent', 'agent'],
  ['github.com/example/agent/v2', 'agent'],
  ['https://git.example.com/group/agent.git', 'agent'],
  ['https://example.com/agent.json', 'agent'],
  ['./agent.csv', 'agent'],
])('a component of %s is called %s', (packageName, name) => {
  expect(deriveComponentName(packageName)).toBe(name);
});
