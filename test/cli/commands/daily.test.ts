import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { dayVariable } from '../../../src/cli/command.ts';
import { command } from '../../../src/cli/commands/daily.ts';
import { readJsonIn, temporaryFolder, writeIn } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';

vi.mock('../../../src/run/day.ts', () => ({ runDay: () => undefined }));

test('a day that begins again after midnight keeps its day, and is recorded as requested', async () => {
  const checkout = temporaryFolder();
  const program = `require('node:fs').writeFileSync(process.env.REPORT, JSON.stringify([process.argv.slice(2), process.env.${dayVariable}]))`;
  writeIn(checkout, 'src/cli.js', program);
  const env = { REPORT: join(checkout, 'report.json') };
  const report = { print: () => undefined };

  const options = { push: true };
  const status = await command.run({ checkout, options, env, report, day: '2026-06-02' } as never);
  const later = await runHere(['check', '--json'], { [dayVariable]: '2026-06-02' });

  expect(status).toBe(0);
  expect(readJsonIn(checkout, 'report.json')).toEqual([['daily', '--push'], '2026-06-02']);
  expect(JSON.parse(later.stdout)).toMatchObject({ asOf: '2026-06-02' });
});
