import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { renderTable } from '../../../src/cli/ask/markdown.ts';
import { runCli } from '../../harness/cli.ts';
import { createFolder } from '../../harness/index-folder.ts';
import { judgeOn, readReleases, statedPolicy } from '../../harness/judging.ts';
import { buildExample } from '../../harness/site.ts';

const releases = readReleases('1.0 2026-01-31, 1.1 2026-02-01 to 2026-03-01, 1.2 to 2026-04-01');
const phases = [
  { name: 'active', months: 6 },
  { name: 'extended', months: 12, paid: true },
];
const stated = [
  { line: '1.0', phases: [{ name: 'active', isOver: true }], lts: '2026-06-01' },
  { line: '1.1', phases: [{ name: 'active', until: '2027-03-31' }, { name: 'security' }] },
];

test.each<[string, object, object, string[]]>([
  [
    'a term with phases, of which one is paid, and bounds',
    { policy: 'term', phases, lts: { lines: ['1.0'], phases: [{ name: 'active', months: 24 }] } },
    {},
    [
      '| Server    | Released                          | Active until                      | Extended until (paid)             |',
      '| 1.2       | between 2026-01-31 and 2026-04-01 | between 2026-07-31 and 2026-10-01 | between 2027-01-31 and 2027-04-01 |',
      '| 1.0 (LTS) | 2026-01-31                        | 2028-01-31                        |                                   |',
    ],
  ],
  [
    'ends without a day, and no end',
    statedPolicy,
    { lines: stated },
    [
      '| Server                    | Released                          | Active until | Security until   |',
      '| 1.2                       | between 2026-01-31 and 2026-04-01 | not stated   | not stated       |',
      '| 1.1                       | between 2026-02-01 and 2026-03-01 | 2027-03-31   | no end announced |',
      '| 1.0 (LTS from 2026-06-01) | 2026-01-31                        | over         |                  |',
    ],
  ],
  [
    'an estimated end, and one that a later line brings',
    { policy: 'latest-lines', count: 1, inferred: 'So it was.' },
    {},
    [
      '| 1.2    | between 2026-01-31 and 2026-04-01 | the next line                                 |',
      '| 1.0    | 2026-01-31                        | between 2026-01-31 and 2026-03-01 (estimated) |',
    ],
  ],
])('the table shows %s', (_, support, recorded, rows) => {
  const table = renderTable(judgeOn('2026-11-27', releases, { support }, recorded));

  expect(table).toEqual(expect.arrayContaining(rows));
  // No day changes it.
  expect(renderTable(judgeOn('2029-01-01', releases, { support }, recorded))).toEqual(table);
});

test('a hostile title stays one cell', () => {
  const title = 'A | B <!-- /release-index --> ![x](https://x.example) `|` \\| **b**';

  expect(renderTable(judgeOn('2026-11-27', [], { title }))[0]).toBe(
    String.raw`| A \| B \<!-- /release-index --\> !\[x\](https\://x.example) \`\|\` \\\| \*\*b\*\* | Released | Supported until |`,
  );
});

const site = createFolder();
for (const path of ['status.json', 'details/svc.json', 'details/edge-node.json']) {
  cpSync(join(buildExample(), path), join(site, path));
}

function explain(component: string, ...options: string[]) {
  return runCli(['explain', component, ...options, '--out', site]);
}

test('a table that was written is not written again, and a fact that changed is a difference', async () => {
  const file = join(createFolder(), 'README.md');
  const read = () => readFileSync(file, 'utf8');
  const places = ['edge', 'svc', 'svcctl'].map(
    (name) => `# ${name}\r\n<!-- release-index: ${name} -->old\r\n<!-- /release-index -->\r\n`,
  );
  // In a fence, marks are text.
  places[0] += `\`\`\`html\r\n${places[1]!.replace('# svc\r\n', '')}\`\`\`\r\n`;
  writeFileSync(file, places.join(''));
  const link = join(createFolder(), 'linked.md');
  symlinkSync(file, link);

  expect(await explain('svc', '--check', file)).toMatchObject({ status: 1 });
  expect(await explain('svc', '--write', link)).toMatchObject({ stdout: `${link}: written\n` });
  const written = read();
  const [before = '', after = ''] = written.split(/\r\n\| Server [^]* \|\r\n/);
  expect([before, after]).toEqual([
    `${places[0]}# svc\r\n<!-- release-index: svc -->\r\n`,
    `\r\n<!-- /release-index -->\r\n${places[2]}`,
  ]);
  expect(await format(written, { parser: 'markdown', endOfLine: 'crlf' })).toContain(
    /\r\n\| Server [^]* \|\r\n/.exec(written)![0],
  );

  expect(await explain('svc', '--write', file)).toMatchObject({ stdout: `${file}: unchanged\n` });
  expect(await explain('svc', '--check', file)).toMatchObject({ status: 0, stderr: '' });
  writeFileSync(file, written.replace('2025-04-08', '2025-04-09'));
  expect(await explain('svc', '--check', file)).toEqual({
    status: 1,
    stdout: expect.stringMatching(/^- \| 2025\.1 .*04-09.*\n\+ \| 2025\.1 .*04-08.*\n$/) as string,
    stderr: `error: ${file}: its table of svc is not that of the index. Write it: npx release-index explain svc --markdown --write ${file}\n`,
  });
});

test.each([
  ['svc', '# Server\n', 1, 'has no place for the table. Write <!-- release-index: svc -->'],
  ['svc', '<!-- release-index: svc -->\n', 1, 'has no <!-- /release-index --> behind it'],
  [
    'svc',
    '<!-- release-index: svc -->\n<!-- release-index: b -->\n<!-- /release-index -->',
    1,
    'has no',
  ],
  [
    'svc',
    Buffer.from('<!-- release-index: svc -->\xe9<!-- /release-index -->', 'latin1'),
    1,
    'UTF-8',
  ],
  ['svc@2025.1', '', 2, '--markdown: expected a component alone; got a version, "2025.1"'],
])('"explain %s --write" is refused for %j', async (component, text, status, problem) => {
  const file = join(createFolder(), 'README.md');
  writeFileSync(file, text);
  const ended = await explain(component, '--write', file);

  expect(ended.stderr).toContain(problem);
  expect(ended.status).toBe(status);
  expect(readFileSync(file)).toEqual(Buffer.from(text as string));
});

const deviceWithoutSpace = '/dev/full';

test.skipIf(!existsSync(deviceWithoutSpace))(
  `a full disk is a sentence, and the file stays (needs ${deviceWithoutSpace})`,
  async () => {
    const file = join(createFolder(), 'README.md');
    const text = '<!-- release-index: svc -->\n<!-- /release-index -->\n';
    writeFileSync(file, text);
    symlinkSync(deviceWithoutSpace, `${file}.${process.pid}.part`);

    expect(await explain('svc', '--write', file)).toMatchObject({
      status: 1,
      stderr: `error: ${file}: no space left on device\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);
