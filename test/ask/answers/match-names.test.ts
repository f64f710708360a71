import { expect, test } from 'vitest';
import { findExact, listExactMatches } from '../../../src/ask/answers/match-names.ts';

test('packages of one name in two registries are one component, each with its own reading of versions', () => {
  const extractVersion = '^9\\.(?<version>.+)$';
  const names = {
    components: [{ name: 'svc', title: 'Server' }],
    packages: new Map([
      ['pkg:npm/agent', [{ component: 'svc', extractVersion }]],
      ['pkg:pypi/agent', [{ component: 'svc' }]],
    ]),
  };

  expect(findExact('agent', names).owners).toEqual([
    { component: 'svc', extractVersion },
    { component: 'svc' },
  ]);
  expect(listExactMatches('agent', names).map(({ name }) => name)).toEqual(['svc']);
});
