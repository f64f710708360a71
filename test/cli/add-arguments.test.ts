import { expect, test } from 'vitest';
import { describeRenaming } from '../../src/cli/add-arguments.ts';

test.each([
  ['@acme/left-pad', 'left-pad', 'acme-left-pad'],
  ['@acme/left-pad', 'acme-left-pad', 'acme-left-pad-npm'],
  ['left-pad', 'left-pad-npm', 'left-pad-npm-npm'],
  ['api', 'api-npm', 'api-npm-npm'],
  ['api', 'svc', 'svc-npm'],
  ['_', 'svc', 'svc-npm'],
  ['a'.repeat(198), 'a'.repeat(198), 'NAME'],
])('for the package %s, whose name %s is not free, the command gives %s', (...texts) => {
  const [packageName, name, newName] = texts;

  const command = describeRenaming({ datasource: 'npm', packageName }, name);

  expect(command.split(' --name ')[1]).toBe(newName);
});
