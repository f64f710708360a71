import { expect, test } from 'vitest';
import { createAdmission, createVersionFilter } from '../../src/decide/releases.ts';
import { FullDefinition } from '../../src/record/read-definition.ts';
import { definition } from '../harness/root.ts';

test.each<[string | undefined, string[], string[]]>([
  [undefined, ['1.0', 'anything'], []],
  ['/^1\\./', ['1.0'], ['2.0', '21.0']],
  ['/RC/i', ['1.0-rc1'], ['1.0']],
  ['/RC/', ['1.0-RC1'], ['1.0-rc1']],
  ['!/^1\\./', ['2.0'], ['1.0']],
  ['>=2025.3 <2026', ['2025.3', 'v2025.4'], ['2025.2', '2026.1', 'banana']],
])('the rule %s of a source allows its versions', (rule, allowed, others) => {
  const isAllowed = createVersionFilter(rule);

  expect(allowed.filter((version) => !isAllowed(version))).toEqual([]);
  expect(others.filter(isAllowed)).toEqual([]);
});

const one = { datasource: 'npm', packageName: 'a', allowedVersions: '/^1/' };
const two = { datasource: 'npm', packageName: 'b', allowedVersions: '/^2/' };

test.each<[string, string[], object, boolean]>([
  ['1.0', ['npm:a'], {}, true],
  ['2.0', ['npm:a'], {}, false],
  ['2.0', ['npm:a', 'npm:b'], {}, true],
  ['2.0', ['npm:gone'], {}, true],
  ['1.0-rc1', ['npm:a'], {}, false],
  ['1.0-rc1', ['npm:a'], { prereleases: true }, true],
])(
  'release %s of %j under %j is admitted: %s',
  (version, [source, ...alsoListedBy], more, isAdmitted) => {
    const isAdmittedBy = createAdmission(
      FullDefinition.parse(definition({ sources: [one, two], ...more })),
    );
    const recorded = { version, source, alsoListedBy } as never;

    expect(isAdmittedBy(recorded, version.includes('rc'))).toBe(isAdmitted);
  },
);
