import { expect, test } from 'vitest';
import { runCli } from '../../harness/cli.ts';
import { copyFolder, openIndex } from '../../harness/index-folder.ts';
import { buildExample } from '../../harness/site.ts';

const out = buildExample();

test('search prints the releases that a query selects', async () => {
  const { status, stdout } = await runCli(['search', 'component:svc line:>=2026.3', '--out', out]);

  expect(stdout)
    .toBe(`component  version  state      until                                          move to
svc        2026.3   Supported  between 2027-12-30 and 2028-05-20 (estimated)
1 release on 2026-11-27.
`);
  expect(status).toBe(0);
});

test.each([
  // The name and version of a release select only that release, not others whose texts contain
  // these words.
  ['svc 2025.1', 0, '\n1 release on 2026-11-27.\n'],
  ['svc 2025', 0, '\n4 releases on 2026-11-27.\n'],
  ['is svc 2025.1 still supported?', 0, '\n1 release on 2026-11-27.\n'],
  ['edge-node:latest', 0, '"latest" is not a version such as 2025.3'],
  ['svc stable', 0, '"stable" is not a version such as 2025.3'],
  ['svc isLatst', 2, 'did you mean isLatest?'],
  ['component:svc version:1.0', 0, '0 releases on 2026-11-27.\n'],
  ['component:edge-node not isSupported', 0, 'these; isSupported:* leaves them out.'],
  ['component:svc isSuported', 2, 'error: query: character 15: expected the name of a field'],
  ['--help', 0, '\n  isSupported           Boolean    whether it is certainly supported'],
])(
  '"search %s" exits with %i and prints the result or the problem',
  async (query, status, output) => {
    const ended = await runCli(['search', query, '--out', out]);

    expect(ended.stdout + ended.stderr).toContain(output);
    expect(ended.status).toBe(status);
  },
);

test.each(['search', 'explain'])(
  'the JSON output of the command %s contains the warning about an outdated index',
  async (verb) => {
    const old = openIndex(copyFolder(out));
    old.edit('status.json', { asOf: '2020-01-01', staleAfterDays: 3 });

    const ended = await runCli([verb, 'svc', '--out', old.root, '--json']);

    const warning = 'This index was last updated on 2020-01-01; newer releases may be missing.';
    expect(ended.stderr).toBe(`warning: index: ${warning}\n`);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      verb,
      staleness: warning,
      asOf: '2020-01-01',
    });
    expect(ended.status).toBe(0);
  },
);
