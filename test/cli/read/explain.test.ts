import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeSite } from '../../../src/site/output.ts';
import { runCli } from '../../harness/cli.ts';
import { judgeComponents, renderFiles } from '../../harness/components.ts';
import { createFolder } from '../../harness/index-folder.ts';
import { buildExample } from '../../harness/site.ts';

/** A site with only status.json and the details of one component. */
const site = createFolder();
for (const path of ['status.json', 'details/svc.json']) {
  cpSync(join(buildExample(), path), join(site, path));
}

const ofVersion = `svc 2025.1 on 2026-11-27: Ended
Server 2025.1 was supported until 2026-10-08 (estimated).
Move to 2026.3.
Estimated: 18 months from its first release on 2025-04-08.
Released 2025-04-08, line 2025.1.
`;
const ofLines = `
  2025.2: ends soon, until 2027-01-15 (estimated); newest 2025.2, 1 release
  2025.1: ended 2026-10-08 (estimated); 1 release
`;

test.each([
  ['explain svc 2025.1', 0, ofVersion],
  ['explain svc', 0, ofLines],
  ['explain Server 2025.1', 0, ofVersion],
  ['explain is Server 2025.1 still supported?', 0, ofVersion],
  ['explain svc latest', 2, '"latest" is not a version such as 2025.3'],
  ['explain svcc', 2, 'Did you mean "svc"?'],
  ['explain svcc 2025.1', 2, '"svcc" names no component of this index. Did you mean "svc"?'],
  ['explain pkg:npm/svc@2025.1', 2, 'If it should be, add the alias "pkg:npm/svc".'],
  [
    'explain svc 2025.1 --as-of 2025-06-01',
    2,
    'the index was built as of 2026-11-27. For another day: npx release-index build --as-of 2025-06-01 --out <folder>, then ask with this --out\n',
  ],
])('"%s" exits with %i and prints the answer or the problem', async (line, status, output) => {
  const ended = await runCli([...line.split(' '), '--out', site]);

  expect(ended.stdout + ended.stderr).toContain(output);
  expect(ended.status).toBe(status);
});

test('explain gives the end of paid support of each release line', async () => {
  const phases = [
    { name: 'standard', months: 12 },
    { name: 'extended', months: 24, paid: true },
  ];
  const facts = {
    definition: { support: { policy: 'term', phases } },
    releases: { '3.2': '2025-03-01', '3.4': '2026-03-01' },
  };
  const out = createFolder();
  writeSite(out, renderFiles(judgeComponents({ fleet: facts })));

  const { stdout } = await runCli(['explain', 'fleet', '--out', out]);

  expect(stdout).toContain(`
  3.4: supported, until 2027-03-01; newest 3.4, 1 release. Paid support lasts until 2028-03-01.
  3.2: ended 2026-03-01; 1 release. Paid support lasts until 2027-03-01.
`);
});

const sha = (letter: string) => `sha256:${letter.repeat(64)}`;
const facts = {
  plain: { releases: [{ version: '1.0.1', sources: [] }] },
  fleet: {
    definition: {
      sources: [{ datasource: 'npm', packageName: 'fleet' }],
      support: { policy: 'latest-lines', count: 1 },
      requiredStops: { lines: ['1.1'], url: 'https://example.com/upgrade' },
      replacedBy: 'plain',
    },
    releases: [
      { version: '1.0.0', sources: [], releaseTimestamp: '2025-01-01T00:00:00Z' },
      {
        ...{ version: '1.1.0', sources: [], digest: sha('a'), digests: [sha('a')] },
        ...{ changelogUrl: 'https://example.com/1.1.0', files: { amd64: sha('a') } },
      },
      { version: '1.2.0', sources: [], releaseTimestamp: '2026-01-01T00:00:00Z' },
    ],
  },
};
const others = createFolder();
writeSite(others, renderFiles(judgeComponents(facts)));

test.each([
  ['plain', 'Latest: 1.0.1\n\n  1'],
  ['fleet', '\nPackages: pkg:npm/fleet\n\n  1.2'],
  ['fleet', '\nUpgrades must pass through '],
  ['fleet', '\nIt is replaced by plain.\n'],
  ['plain 1.0.1', '\nThe release day is not known, line 1.0.'],
  ['plain 1.0', '\nA release line.'],
  ['plain 1.0.7', '\nNot listed, line 1.0.'],
  ['plain 0.1', '\nNot listed, line unknown.'],
  ['fleet 1.1.0', '\nChange log: https://example.com/1.1.0\n'],
  ['fleet 1.1.0', `\nDigest: ${sha('a')}\n`],
  ['fleet 1.1.0', `\nDigest of amd64: ${sha('a')}\n`],
  ['fleet 1.0.0', '\nReleased 2025-01-01, line 1.0.\n'],
])('"explain %s" says %j', async (words, says) => {
  const { stdout } = await runCli(['explain', ...words.split(' '), '--out', others]);

  expect(stdout).toContain(says);
});
