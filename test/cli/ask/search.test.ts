import { expect, test } from 'vitest';
import { runCli } from '../../harness/cli.ts';
import { buildExample } from '../../harness/site.ts';

const out = buildExample();

test('prints the releases that a query selects', async () => {
  const { status, stdout } = await runCli(['search', 'component:svc line:>=2026.2', '--out', out]);

  expect(stdout)
    .toBe(`component  version   state      until                                          move to
svc        2026.2    Supported  2027-12-30 (estimated)
svc        2026.2.1  Supported  2027-12-30 (estimated)
svc        2026.3    Supported  between 2027-12-30 and 2028-05-20 (estimated)
3 releases on 2026-11-27.
`);
  expect(status).toBe(0);
});

test('help lists the fields of queries', async () => {
  const { stdout } = await runCli(['search', '--help']);

  expect(stdout).toMatch(/\n {2}isSupported +Boolean +whether support certainly runs/);
});

test('a query without a result ends with 0, a wrong one with 2 and its position', async () => {
  const none = await runCli(['search', 'component:svc version:1.0', '--out', out]);
  const wrong = await runCli(['search', 'component:svc isSuported', '--out', out]);

  expect(none.stdout).toContain('0 releases on 2026-11-27.');
  expect(wrong.stderr).toContain('error: query: character 15: expected the name of a field');
  expect([none.status, wrong.status]).toEqual([0, 2]);
});

test('a negated flag says of how many it is unknown', async () => {
  const { stdout } = await runCli(['search', 'component:edge-node not isSupported', '--out', out]);

  expect(stdout).toMatch(
    /isSupported is unknown for \d+ of these; isSupported:\* leaves them out\./,
  );
});
