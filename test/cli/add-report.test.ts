import { expect, test } from 'vitest';
import { listFindings } from '../../src/cli/add-report.ts';
import { InputError, problem, warning } from '../../src/core/schemas/finding.ts';

test('warnings that differ only in the component are one, and errors only with equal messages', () => {
  const names = ['agent', 'board'];
  const components = names.map((name) => ({
    ...{ component: name, file: `components/${name}.json`, isWritten: true, definition: {} },
    ...{ notes: [], releases: 1 },
    findings: [
      warning(`${name} (npm)`, `${name} was renamed upstream`),
      warning(`${name} (npm)`, 'has no licence'),
    ],
  }));
  const failures = names.map((name) => ({
    packageName: name,
    error: new InputError([
      problem(name, `is taken: npx release-index add npm ${name} --name ${name}-npm`),
      problem(name, 'states no homepage'),
    ]),
  }));

  expect(listFindings(components, failures)).toEqual([
    warning('agent (npm)', 'agent was renamed upstream. Likewise: board (npm)'),
    warning('agent (npm)', 'has no licence. Likewise: board (npm)'),
    problem('agent', 'is taken: npx release-index add npm agent --name agent-npm'),
    problem('agent', 'states no homepage. Likewise: board'),
    problem('board', 'is taken: npx release-index add npm board --name board-npm'),
  ]);
});

test('a component keeps the warning of each of its sources', () => {
  const undated = (subject: string, source: string) => ({
    ...warning(subject, `${source} states no release days`),
    kind: 'undated' as const,
  });
  const component = { file: '', isWritten: true, definition: {}, notes: [], releases: 1 };
  const components = [
    {
      ...component,
      component: 'agent',
      findings: [undated('agent', 'docker:a/b'), undated('agent', 'maven:g:a')],
    },
    { ...component, component: 'board', findings: [undated('board', 'docker:c/d')] },
  ];

  expect(listFindings(components, []).map(({ message }) => message)).toEqual([
    'docker:a/b states no release days. Likewise: board',
    'maven:g:a states no release days',
  ]);
});
