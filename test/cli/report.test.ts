import { readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../harness/example.ts';
import { createFolder } from '../harness/index-folder.ts';

test('a report in a GitHub workflow never prints foreign text as a workflow command', () => {
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
