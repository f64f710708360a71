import { expect, test } from 'vitest';
import { joinSubject } from '../../src/core/text.ts';
import { readPolicies } from '../../src/site/policies.ts';
import { writeFiles } from '../harness/components.ts';
import { program } from '../harness/example.ts';

test('an index has the built-in policies and its own policies', () => {
  const policy = { description: 'Ours.', remediation: 'Move.', query: 'isSupported' };
  const root = writeFiles({ 'site/policies/ours.json': { $schema: 'x', ...policy } });

  const policies = readPolicies(root, program);

  const builtIn = policies.filter(({ isBuiltIn }) => isBuiltIn).map(({ name }) => name);
  expect(builtIn.sort().join(' ')).toBe('current lasting patched secure stable supported');
  expect(policies.at(-1)).toEqual({ name: 'ours', isBuiltIn: false, ...policy });
  const wrong = writeFiles({ 'site/policies/ours.json': { ...policy, query: 'isSuported' } });
  expect(() => readPolicies(wrong, program)).toThrow(/^site\/policies\/ours\.json: query: /);
});

const whole = { description: 'Ours.', remediation: 'Move.', query: 'isSupported' };
const needed = 'description, remediation, query';

test.each<[name: string, content: unknown, ...problems: string[]]>([
  ['ours', null, `expected an object with ${needed}; got null`],
  ['ours', [whole], `expected an object with ${needed}`],
  ['ours', 'isSupported', `expected an object with ${needed}; got "isSupported"`],
  ['ours', { query: whole.query }, 'description is missing', 'remediation is missing'],
  ['ours', { ...whole, description: null }, 'description: expected a text; got null'],
  ['ours', { ...whole, labels: ['team'] }, 'labels: expected an object'],
  ['ours', { ...whole, labels: { team: 7 } }, 'labels.team: expected a text; got 7'],
  ['supported', whole, 'the program has a policy "supported". Choose another name for the file'],
  ['lasting', {}, 'the program has a policy "lasting". Choose another name for the file'],
])('the policy %s with the content %j is rejected', (name, content, ...problems) => {
  const file = `site/policies/${name}.json`;
  const root = writeFiles({ [file]: JSON.stringify(content) });

  expect(() => readPolicies(root, program)).toThrow(
    problems.map((problem) => joinSubject(file, problem)).join('\n'),
  );
});
