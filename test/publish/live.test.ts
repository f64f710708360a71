import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSite } from '../../src/core/index/site-reader.ts';
import { readLive } from '../../src/publish/live.ts';
import {
  copyFolder,
  createFolder,
  createIndex,
  openIndex,
  type IndexFolder,
} from '../harness/index-folder.ts';

const nothingSent = 'Nothing was sent. To publish without looking at the live site: --force';

const first = createIndex();
const firstFolder = createFolder();
expect(await first.run('build')).toMatchObject({ status: 0 });
expect(await first.run('publish', '--to', firstFolder)).toMatchObject({
  status: 0,
  stdout: expect.stringMatching(/: \d+ files, \d+ changed, 0 gone\. Published\.\n$/),
});

/** A copy of an index that was published into a folder. */
function copyPublished() {
  const index = openIndex(copyFolder(first.root));
  const folder = copyFolder(firstFolder);
  const publish = async () => {
    const { status, stdout, stderr } = await index.run('publish', '--to', folder);
    return status === 0 ? stdout : stderr.replaceAll('error: ', '');
  };
  const build = async () => expect(await index.run('build')).toMatchObject({ status: 0 });
  return { index, folder, publish, build };
}

const deprecated = (versions: string | string[]) => ({
  deprecated: [{ versions, reason: 'A typing error.', url: 'https://example.com' }],
});

const badEdits: [what: string, edit: (index: IndexFolder) => void, losses: string[]][] = [
  [
    'removes a component',
    (index) => index.write('components/edge-node.json', undefined),
    ['edge-node: is on the live site, and would be gone'],
  ],
  [
    'empties a component',
    (index) => index.write('data/edge-node.json', { releases: [] }),
    ['edge-node: would have no latest version; it is 1.0 on the live site'],
  ],
  [
    'deprecates two of ten releases, and a third is gone',
    (index) => {
      index.edit('components/svc.json', (it) =>
        Object.assign(it, deprecated(['2025.1.0', '2025.1.1'])),
      );
      index.edit('data/svc.json', ({ releases }) => releases.splice(2, 1));
    },
    ['svc: 3 of 10 releases would be gone or deprecated: 2025.1.0, 2025.1.1, 2025.1.2'],
  ],
];

test.each(badEdits)(
  'an edit that %s is refused before anything is sent, and passes once accepted',
  async (_, edit, losses) => {
    const { index, publish, build } = copyPublished();
    edit(index);
    await build();

    const refusal = await publish();
    const id = /publication-[0-9a-f]{10}/.exec(refusal)?.[0] ?? '';
    expect(refusal.split('\n')).toEqual([
      ...losses,
      `publication: Nothing was sent, so that readers keep what they have. If this is wanted: npx release-index accept ${id}, then publish again`,
      '',
    ]);
    expect(await publish()).toBe(refusal);
    expect(await index.run('accept', id.replace(/.$/, 'x'))).toMatchObject({ status: 2 });

    const accepted = await index.run('accept', id);
    expect(accepted.stdout).toContain(`${id}: accepted without a look at what it names`);
    expect(await publish()).toContain('Published.');
  },
);

test.each([
  ['2026-11-19', false],
  ['2026-11-20', true],
])(
  'without runs, a decision of %s counts for the live site of 2026-11-20: %s',
  async (on, counts) => {
    const { index, publish, build } = copyPublished();
    index.write('components/edge-node.json', undefined);
    await build();
    const id = /publication-[0-9a-f]{10}/.exec(await publish())?.[0];
    const decision = { id, at: `${on}T10:00:00Z`, by: 'Jane' };
    index.write('data/decisions.ndjson', `${JSON.stringify(decision)}\n`);

    expect((await publish()).includes('Published.')).toBe(counts);
  },
);

test.each<[what: string, edit: (index: IndexFolder) => void]>([
  [
    'two of ten deprecated',
    (index) =>
      index.edit('components/svc.json', (it) =>
        Object.assign(it, deprecated(['2025.1.0', '2025.1.1'])),
      ),
  ],
  [
    'a new name, under which the old files stay',
    (index) => {
      index.write('components/server.json', {
        ...JSON.parse(index.read('components/svc.json')),
        renamedFrom: ['svc'],
      });
      index.write('data/server.json', index.read('data/svc.json'));
      index.write('components/svc.json', undefined);
    },
  ],
])('%s is published', async (_, edit) => {
  const { index, publish, build } = copyPublished();
  edit(index);
  await build();

  expect(await publish()).toContain('Published.');
});

test.each([
  ['2026-11-21', 0, 'is of 2026-11-21 with 0 events; this one is of 2026-11-20 with 0.'],
  ['2026-11-20', 3, 'is of 2026-11-20 with 3 events; this one is of 2026-11-20 with 0.'],
  ['2026-11-19', undefined, undefined],
])('a live site of %s with %s events: %s', async (asOf, events, problem) => {
  const { index, folder } = copyPublished();
  writeFileSync(join(folder, 'status.json'), JSON.stringify({ asOf, events }));

  const usual = await index.run('publish', '--to', folder);
  const forced = await index.run('publish', '--to', folder, '--force');

  const wanted = `error: live site: ${problem} If this checkout is behind: git pull; if a journal was removed: restore it. ${nothingSent}\n`;
  expect(usual.stderr).toBe(problem === undefined ? '' : wanted);
  expect(forced).toMatchObject({ status: 0, stderr: '' });
});

test.each([
  ['status.json', '{"asOf": 1}', 'status.json: cannot be read: asOf'],
  ['SHA256SUMS', 'x\n', 'SHA256SUMS: expected a digest and a new path; got "x"'],
])('a live %s that cannot be read stops the publication: %s', async (path, text, problem) => {
  const { index, folder } = copyPublished();
  writeFileSync(join(folder, path), text);

  const { status, stderr } = await index.run('publish', '--to', folder);

  expect(stderr.slice(0, 18 + problem.length)).toBe(`error: live site: ${problem}`);
  expect(stderr).toContain(nothingSent);
  expect(status).toBe(1);
});

test('a folder without a site has no live one', async () => {
  expect(await readLive(openSite(createFolder()))).toBeUndefined();
});
