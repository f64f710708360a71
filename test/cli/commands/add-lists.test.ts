import { describe, expect, onTestFinished, test } from 'vitest';
import { json } from '../../harness/imitated-upstream.ts';
import { createRoot, pathsIn, readJsonIn } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { serve, startUpstream } from '../../harness/upstream.ts';

const links = ['--homepage', 'https://example.com/', '--changelog', 'https://example.com/news'];

/** Adds the releases of a file, and gives the definition and the published document. */
async function addList(fileName: string, text: string, ...args: string[]) {
  const root = createRoot({});
  const list = createRoot({});
  list.write(fileName, text);
  const added = await runHere([
    'add',
    'static',
    `${list.dir}/${fileName}`,
    '--root',
    root.dir,
    ...args,
  ]);
  return { ...added, root };
}

const releasesIn = (dir: string, name: string) =>
  readJsonIn<{ sources: [{ releases: object[] }] }>(dir, `components/${name}.json`).sources[0]
    .releases;

describe('add static', () => {
  test.each([
    [
      'lines of version and day',
      'tool.txt',
      '# ours\n1.0 2025-01-31\n1.1 25th March 2025 # again\n2.0\n',
    ],
    ['CSV', 'tool.csv', 'Version,Release date\n1.0,2025-01-31\n"1.1","March 25, 2025"\n2.0,\n'],
    [
      'CSV of a spreadsheet',
      'tool.csv',
      'released;version\n2025-01-31;1.0\n2025-03-25;1.1\n;2.0\n',
    ],
    [
      "Renovate's JSON",
      'tool.json',
      JSON.stringify([
        { version: '1.0', releaseTimestamp: '2025-01-31' },
        { version: '1.1', releaseTimestamp: '2025-03-25T00:00:00.000Z' },
        '2.0',
      ]),
    ],
  ])('reads %s', async (_, fileName, text) => {
    const { status, stdout, stderr, root } = await addList(fileName, text, ...links);

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('tool: 3 releases recorded; the latest is 2.0\n');
    expect(releasesIn(root.dir, 'tool')).toEqual([
      { version: '1.0', releaseTimestamp: '2025-01-31T00:00:00Z' },
      { version: '1.1', releaseTimestamp: '2025-03-25T00:00:00Z' },
      { version: '2.0' },
    ]);
  });

  test('publishes each field of the file that Renovate reads', async () => {
    const kept = {
      homepage: 'https://example.com/tool',
      changelogUrl: 'https://example.com/tool/changes',
      sourceUrl: 'https://github.com/example/tool',
      releases: [
        {
          version: '1.0.0',
          releaseTimestamp: '2025-01-31T09:30:00Z',
          changelogUrl: 'https://example.com/tool/changes#1.0.0',
          isDeprecated: true,
        },
        { version: '1.1.0', releaseTimestamp: '2025-03-25T00:00:00Z', isDeprecated: false },
        {
          version: '1.2.0',
          releaseTimestamp: '2025-04-01T00:00:00Z',
          isDeprecated: false,
          isStable: false,
        },
      ],
    };

    const { status, root } = await addList('tool.json', JSON.stringify(kept));
    const built = await runHere(['build', '--root', root.dir, '--out', `${root.dir}/dist`]);

    expect([status, built.status]).toEqual([0, 0]);
    expect(readJsonIn(root.dir, 'dist/tool.json')).toEqual({ ...kept, tags: { latest: '1.1.0' } });
  });

  test('names each field that Renovate reads and the index does not publish', async () => {
    const list = {
      tags: { latest: '1.0.0', next: '1.1.0' },
      releases: [{ version: '1.0.0', digest: 'sha256:0f1e' }, { version: '1.1.0' }],
    };

    const { status, stdout } = await addList('tool.json', JSON.stringify(list), ...links);

    expect(status).toBe(0);
    expect(stdout).toContain(
      'left out tags."next", releases[].digest: an index does not publish it\n',
    );
    expect(stdout).toContain(
      'tags.latest: 1.1.0, the greatest stable release that is not deprecated; the list states "1.0.0"\n',
    );
  });

  test.each([
    [
      '1.0 31.01.2025\n1.1 soon\n',
      'line 1: "1.0": expected a day such as 2026-01-31; got "31.01.2025"; line 2',
    ],
    ['1.0\n1.0\n', 'line 2: "1.0" is listed twice'],
    ['name,day\ntool,2025-01-31\n', 'expected the names of columns, among them version'],
    ['{"versions": []}', 'expected an array of releases, or an object with releases'],
    ['[{"version": 1.0}]', 'entry 1: version:'],
    ['', 'lists no version'],
  ])('names what it cannot read in %j, and writes nothing', async (text, problem) => {
    const { status, stderr, root } = await addList('tool.txt', text, ...links);

    expect(status).toBe(1);
    expect(stderr).toContain(problem);
    expect(pathsIn(root.dir).filter((path) => /^(?:components|data)\/tool/.test(path))).toEqual([]);
  });
});

test("add json reads another index's document without an expression, and gathers it again", async () => {
  const document = {
    homepage: 'https://example.com/tool',
    changelogUrl: 'https://example.com/tool/changes',
    releases: [
      { version: '1.0.0', releaseTimestamp: '2025-01-31T00:00:00Z', isDeprecated: true },
      { version: '1.1.0', releaseTimestamp: '2025-03-25T00:00:00Z', isDeprecated: false },
    ],
    tags: { latest: '1.1.0' },
  };
  const upstream = await startUpstream(() =>
    serve(new Map([['/tool/releases.json', json(document)]])),
  );
  onTestFinished(() => upstream.close());
  const root = createRoot({});
  const url = `${upstream.url}tool/releases.json`;

  const added = await runHere(['add', 'json', url, '--root', root.dir]);
  const gathered = await runHere(['gather', '--root', root.dir]);
  const built = await runHere(['build', '--root', root.dir, '--out', `${root.dir}/dist`]);

  expect([added.status, gathered.status, built.status]).toEqual([0, 0, 0]);
  expect(readJsonIn(root.dir, 'components/tool.json')).toMatchObject({
    title: 'tool',
    sources: [{ datasource: 'json', url }],
  });
  expect(readJsonIn(root.dir, 'dist/tool.json')).toEqual(document);
});

describe('add endoflife-date --all', () => {
  const product = (name: string) =>
    json({
      result: {
        name,
        label: name.toUpperCase(),
        links: { html: `https://ends.example.com/${name}`, releasePolicy: null },
        releases: [
          {
            name: '2',
            isEol: false,
            eolFrom: '2027-01-31',
            latest: { name: '2.4.1', date: '2026-02-01' },
          },
          {
            name: '1',
            isEol: true,
            eolFrom: '2025-01-31',
            latest: { name: '1.9.0', date: '2024-02-01' },
          },
        ],
      },
    });

  test('adds all products of an instance, with their ends', async () => {
    const documents = {
      '/api/v1/products': json({ result: [{ name: 'tool' }, { name: 'agent' }] }),
      '/api/v1/products/tool': product('tool'),
      '/api/v1/products/agent': product('agent'),
    };
    const upstream = await startUpstream(() => serve(new Map(Object.entries(documents))));
    onTestFinished(() => upstream.close());
    const root = createRoot({});
    const add = () => runHere(['add', 'endoflife-date', '--all', upstream.url, '--root', root.dir]);

    const added = await add();
    const again = await add();

    expect([added.status, again.status]).toEqual([0, 0]);
    expect(added.stdout).toContain(
      'add: added 2 of 2 packages; 0 in the index before, 0 failed.\n',
    );
    expect(again.stdout).toContain(
      'add: added 0 of 2 packages; 2 in the index before, 0 failed.\n',
    );
    const registryUrl = `${upstream.url}api/`;
    expect(readJsonIn(root.dir, 'components/tool.json')).toMatchObject({
      title: 'TOOL',
      homepage: 'https://ends.example.com/tool',
      sources: [{ datasource: 'endoflife-date', packageName: 'tool', registryUrl }],
      support: { policy: 'stated', source: { product: 'tool', registryUrl } },
    });
  });

  test('adds all products of a folder in the form of a fork, with the days that it states', async () => {
    const folder = createRoot({});
    folder.write(
      'products/tool.md',
      [
        '---',
        'title: Our tool',
        'releasePolicyLink: https://ends.example.com/policy',
        'releases:',
        '  - releaseCycle: "3.0"',
        '    releaseDate: 2026-03-01',
        '    latest: "3.0.1"',
        '    latestReleaseDate: 2026-04-01',
        '    eol: false',
        '  - releaseCycle: "2.0"',
        '    releaseDate: 2025-10-01',
        '    latest: "2.0.3"',
        '    latestReleaseDate: 2026-02-01',
        '    eoas: 2026-12-31',
        '    eol: 2027-12-31',
        '  - releaseCycle: "1.10"',
        '    latest: "1.10.9"',
        '    latestReleaseDate: 2024-02-01',
        '    eol: 2025-01-31',
        '  - releaseCycle: "1.9"',
        '    latest: "1.9.2"',
        '    eol: true',
        '---',
        '> Our tool does what we need.',
        '',
      ].join('\n'),
    );
    const root = createRoot({});

    const { status, stdout } = await runHere([
      'add',
      'endoflife-date',
      '--all',
      folder.dir,
      '--root',
      root.dir,
    ]);

    const built = await runHere(['build', '--root', root.dir, '--out', `${root.dir}/dist`]);

    expect([status, built.status]).toEqual([0, 0]);
    expect(stdout).toContain('support: no day is stated for 2 lines of tool: 3.0, 1.9');
    expect(readJsonIn(root.dir, 'components/tool.json')).toMatchObject({
      title: 'Our tool',
      homepage: 'https://ends.example.com/policy',
      support: {
        policy: 'dated',
        lines: { '2.0': { active: '2026-12-31', security: '2027-12-31' }, '1.10': '2025-01-31' },
      },
    });
    expect(releasesIn(root.dir, 'tool')).toContainEqual({
      version: '1.10.9',
      releaseTimestamp: '2024-02-01',
    });

    const { lines } = readJsonIn<{ lines: { line: string; firstReleaseDate?: string }[] }>(
      root.dir,
      'dist/details/tool.json',
    );
    expect(lines).toMatchObject([
      { line: '1.9' },
      { line: '1.10', firstReleaseDate: '2024-02-01' },
      { line: '2.0', firstReleaseDate: '2025-10-01' },
      { line: '3.0', firstReleaseDate: '2026-03-01' },
    ]);
  });

  test.each([
    ['a folder without files', [], 'expected files of products, *.md or *.yaml'],
    ['a file without releases', [['products/a.md', '---\ntitle: A\n---\n']], 'a.md: releases: '],
    ['a file that is not YAML', [['products/a.md', '---\ntitle: [\n---\n']], 'a.md: '],
  ] as [string, [string, string][], string][])('names %s', async (_, files, problem) => {
    const folder = createRoot({});
    for (const [path, text] of files) {
      folder.write(path, text);
    }
    const root = createRoot({});

    const { status, stderr } = await runHere([
      'add',
      'endoflife-date',
      '--all',
      folder.dir,
      '--root',
      root.dir,
    ]);

    expect(status).toBe(1);
    expect(stderr).toContain(problem);
  });
});
