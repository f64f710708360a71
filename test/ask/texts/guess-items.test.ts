import { expect, test } from 'vitest';
import { listEndings, splitLine } from '../../../src/ask/texts/guess-items.ts';

test.each([
  ['the Maven agent is 1.21', 'the Maven agent is', '1.21'],
  ['SVC_VERSION=v2025.1', 'SVC', '2025.1'],
  ['log4j2 2', 'log4j2', '2'],
  ['oauth2-proxy 2', 'oauth2-proxy', '2'],
  ['k8s agent 8', 'k8s agent', '8'],
  ['only words', 'only words', undefined],
])('the name and the version of "%s" are "%s" and %s', (line, name, version) => {
  expect(splitLine(line)).toEqual({ name, version });
});

test('the endings of a name leave out what joins it to a version', () => {
  expect(listEndings('and now the Maven agent is')).toEqual(
    expect.arrayContaining(['the Maven agent', 'Maven agent', 'agent']),
  );
  expect(listEndings('one two three four five six')).toHaveLength(5);
});
