import { expect, test } from 'vitest';
import { readPolicies } from '../../src/site/policies.ts';
import { writeFiles } from '../harness/components.ts';
import { program } from '../harness/example.ts';

test("adds the index's policies to the built-in ones, and parses their queries", () => {
  const policy = { description: 'Ours.', remediation: 'Move.', query: 'isSupported' };
  const root = writeFiles({ 'site/policies/ours.json': { $schema: 'x', ...policy } });

  const policies = readPolicies(root, program);

  const builtIn = policies.filter(({ isBuiltIn }) => isBuiltIn).map(({ name }) => name);
  expect(builtIn.sort().join(' ')).toBe('current lasting patched secure stable supported');
  expect(policies.at(-1)).toEqual({ name: 'ours', isBuiltIn: false, ...policy });
  const wrong = writeFiles({ 'site/policies/ours.json': { ...policy, query: 'isSuported' } });
  expect(() => readPolicies(wrong, program)).toThrow(/^site\/policies\/ours\.json: query: /);
});
