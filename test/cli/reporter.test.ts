import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { annotate } from '../../src/cli/github-workflow.ts';
import { createReporter, type Process } from '../../src/cli/reporter.ts';
import { fileProblem, problem } from '../../src/core/schemas/finding.ts';
import { temporaryFolder } from '../harness/root.ts';

test('progress fits the line of a terminal, without half a character', () => {
  const written: string[] = [];
  const stderr = { isTTY: true, columns: 23, write: (text: string) => written.push(text) };
  const report = createReporter({ env: {}, stderr } as unknown as Process, false, '');

  report.progress(`${'x'.repeat(21)}\u{1F680} starts`);

  expect(written).toEqual([`\r\u001B[K${'x'.repeat(21)}`]);
});

test('the summary of a job holds at most 1 MiB, with results after any number of findings', async () => {
  const summary = join(temporaryFolder(), 'summary.md');
  writeFileSync(summary, '');
  const stream = { write: () => true };
  const report = createReporter(
    {
      env: { NO_COLOR: '1', GITHUB_STEP_SUMMARY: summary },
      stdout: stream,
      stderr: stream,
    } as unknown as Process,
    false,
    '',
  );

  for (let index = 0; index < 1000; index += 1) {
    report.finding(problem(`svc ${index}`, 'é'.repeat(600)));
  }
  report.print({ headings: ['component'], rows: [['svc']] });
  await report.close();

  const written = readFileSync(summary);
  expect(written.length).toBeGreaterThan(2 ** 18);
  expect(written.length).toBeLessThan(2 ** 20);
  expect(written.toString()).toContain('    component\n');
});

test('an annotation names a file of an index in a folder of the repository', async () => {
  const written: string[] = [];
  using _write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });

  const folder = temporaryFolder();
  await annotate([fileProblem('components/svc.json', 'is wrong')], folder);

  // A runner shortens it to the path in the repository.
  const file = join(folder, 'components', 'svc.json');
  expect(written.join('')).toContain(`file=${file}::is wrong`);
});
