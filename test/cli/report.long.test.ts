import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { program } from '../harness/example.ts';

test('a report prints 300,000 lines and 300,000 problems', () => {
  const run = String.raw`import { createReport } from './src/cli/report.ts';
    const list = Array.from({ length: 300_000 }, (_, index) => 'line ' + index);
    const report = createReport(process);
    report.print(list);
    report.problem(list.map((subject) => ({ subject, message: 'is wrong' })));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--input-type=module', '--eval', run],
    { cwd: program, env: { NO_COLOR: '1' }, encoding: 'utf8', maxBuffer: 2 ** 26 },
  );

  expect(stdout.split('\n')).toHaveLength(300_001);
  expect(stderr.split('\n').at(-2)).toBe('error: line 299999 is wrong');
});
