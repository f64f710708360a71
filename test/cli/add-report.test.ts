import { expect, test } from 'vitest';
import { joinAlike } from '../../src/cli/add-report.ts';
import { problem, warning } from '../../src/core/schemas/finding.ts';

test('warnings that differ only in the component are one, and errors only with equal messages', () => {
  const findings = ['agent', 'board'].flatMap((name) => [
    warning(`${name} (npm)`, `${name} was renamed upstream`),
    warning(`${name} (npm)`, 'has no licence'),
    problem(name, `is taken: npx release-index add npm ${name} --name ${name}-npm`),
    problem(name, 'states no homepage'),
  ]);

  expect(joinAlike(findings)).toEqual([
    warning('agent (npm)', 'agent was renamed upstream. Likewise: board (npm)'),
    warning('agent (npm)', 'has no licence. Likewise: board (npm)'),
    problem('agent', 'is taken: npx release-index add npm agent --name agent-npm'),
    problem('agent', 'states no homepage. Likewise: board'),
    problem('board', 'is taken: npx release-index add npm board --name board-npm'),
  ]);
});
