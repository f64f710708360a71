import { readFileSync, writeFileSync } from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../harness/example.ts';
import { createFolder } from '../harness/index-folder.ts';

test('in a GitHub workflow, a report has annotations and a job summary, and foreign text never becomes a command', () => {
  const file = join(createFolder(), 'summary.md');
  writeFileSync(file, '');
  const run = String.raw`import { createReport } from './src/cli/report.ts';
    const report = createReport(process);
    report.problem({ subject: 'svc', message: '100% wrong', file: 'components/svc.json' });
    report.problem({ subject: 'npm', message: 'is slow', level: 'warning' });
    report.problem({ subject: 'site/site.json', message: 'is wrong' });
    report.print({ headings: ['name', 'count'], rows: [['svc', 12], ['edge-node', 3]] });
    report.print('::error::mine', '##[add-path]/tmp', 'a\nb\u001B[31m');
    report.problem({ subject: 'x\n::stop-commands::y', message: '\n::set-output name=a::b' });
    await report.close('/index');`;
  const stdout = execFileSync(process.execPath, ['--no-warnings', '--eval', run], {
    cwd: program,
    env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file, NO_COLOR: '1' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const summary = readFileSync(file, 'utf8');

  expect(stdout).toContain('name       count\nsvc        12\nedge-node  3\n');
  expect(stdout).toContain('::error title=svc,file=/index/components/svc.json::100%25 wrong');
  expect(stdout).toContain('::warning title=npm::is slow');
  expect(stdout).toContain('::error title=site/site.json,file=/index/site/site.json::is wrong');
  expect(stdout).not.toMatch(/^(?:::(?!(?:error|warning) title)|##\[)/m);
  expect(stdout).not.toContain('\u001B');
  expect(summary).toContain('    svc: 100% wrong\n    npm is slow\n    site/site.json is wrong\n');
  expect(summary).toContain('    svc        12\n');
  // Indented text is not read as markup.
  expect(summary.split('\n').every((line) => line === '' || line.startsWith('    '))).toBe(true);
});

test('prints a list of 300,000 lines and of as many problems', () => {
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
