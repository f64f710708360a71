import { describe, expect, onTestFinished, test } from 'vitest';
import { json } from '../../harness/imitated-upstream.ts';
import { createRoot, pathsIn, readJsonIn } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { serve, startUpstream, type Document } from '../../harness/upstream.ts';

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
    ['lines with quotation marks', 'tool.txt', '1.0 2025-01-31\n"1.1" "March 25, 2025"\n"2.0"\n'],
    ['CSV', 'tool.csv', 'Version,Release date\n1.0,2025-01-31\n"1.1","March 25, 2025"\n2.0,\n'],
    [
      'lines that begin with a comma in a day',
      'tool.txt',
      '1.0 January 31, 2025\n1.1 March 25, 2025\n2.0\n',
    ],
    [
      'CSV of a spreadsheet',
      'tool.csv',
      'released;version\n2025-01-31;1.0\n2025-03-25;1.1\n;2.0\n',
    ],
    [
      'a table with tabs, comments and quotation marks',
      'tool.tsv',
      '# ours\ndate\tnotes\tversion\n2025-01-31\t"Mends #1, #2"\t1.0\n2025-03-25\t\t1.1 # again\n\t\t2.0\n',
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
    expect(stdout).toContain('Add later releases to "releases" in components/tool.json\n');
    expect(stdout).toContain('Look at components/tool.json, then: npx release-index start\n');
    expect(releasesIn(root.dir, 'tool')).toEqual([
      { version: '1.0', releaseTimestamp: '2025-01-31T00:00:00Z' },
      { version: '1.1', releaseTimestamp: '2025-03-25T00:00:00Z' },
      { version: '2.0' },
    ]);
  });

  test.each(['Version\n1.0\n1.1\n', '"version"\n"1.0"\n"1.1"\n'])(
    'reads the column %j',
    async (text) => {
      const { status, root } = await addList('tool.csv', text, ...links);

      expect(status).toBe(0);
      expect(releasesIn(root.dir, 'tool')).toEqual([{ version: '1.0' }, { version: '1.1' }]);
    },
  );

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

  test('keeps that a version in the form of a prerelease is stable', async () => {
    const releases = [{ version: '1.0.0' }, { version: '2.0.0-beta', isStable: true }];

    const { status, root } = await addList('tool.json', JSON.stringify(releases), ...links);

    expect(status).toBe(0);
    expect(releasesIn(root.dir, 'tool')).toEqual(releases);
    expect(readJsonIn(root.dir, 'components/tool.json')).not.toHaveProperty('prereleases');
  });

  test('names each column that the index does not publish, so that a misspelled one is seen', async () => {
    const { stdout } = await addList(
      'tool.csv',
      'version,relase date,constructor,,relase date\n1.0,2025-01-31,,,\n',
      ...links,
    );

    expect(stdout).toContain(
      'left out "relase date", "constructor": an index publishes no such field\n',
    );
  });

  test('names each field that the index does not publish', async () => {
    const list = {
      sourceUrl: 'svn://example.com/tool',
      tags: { latest: '1.0.0', next: '1.1.0' },
      releases: [{ version: '1.0.0', digest: 'sha256:0f1e', constructor: 1 }, '1.1.0'],
    };

    const { status, stdout } = await addList('tool.json', JSON.stringify(list), ...links);

    expect(status).toBe(0);
    expect(stdout).toContain(
      'left out "tags.next", "releases[].digest", "releases[].constructor": an index publishes no such field\n',
    );
    expect(stdout).toContain('left out "sourceUrl": expected an https: address\n');
    expect(stdout).toContain(
      'tool: the latest is 1.1.0, the greatest stable release that is not deprecated; stated is "1.0.0"\n',
    );
  });

  test.each(['1.0.0', { latest: 1 }])('names unusable tags: %j', async (tags) => {
    const list = { tags, releases: ['1.0.0'] };
    const { status, stdout } = await addList('tool.json', JSON.stringify(list), ...links);

    expect(status).toBe(0);
    expect(stdout).toContain(
      'left out "tags": expected an object with the latest version as a text\n',
    );
  });

  test.each([
    [
      '1.0 31.01.2025\n1.1 soon\n',
      'line 1: releaseTimestamp: expected a day such as 2026-01-31; got "31.01.2025", line 2',
    ],
    [
      '1.0 Marhc 25, 2026\n1.1 March 26, 2026\n',
      'line 1: releaseTimestamp: expected a day such as 2026-01-31; got "Marhc 25, 2026"',
    ],
    [
      '1.0, 2025-01-31\n',
      'the first line: expected the names of columns, among them version; got "1.0, 2025-01-31"',
    ],
    ['1.0\n1.0\n', 'line 2: "1.0" is listed twice'],
    ['1\n2\n'.repeat(4), 'line 7: "1" is listed twice and 1 more'],
    [
      '[{"version": "1.0", "changelogUrl": "ftp://example.com"}]',
      'entry 1: changelogUrl: expected an https: address; got "ftp://example.com"',
    ],
    ['name,day\ntool,2025-01-31\n', 'expected the names of columns, among them version'],
    [
      'version,day,Date\n1.0,2025-01-31,2025-02-01\n',
      'expected one column for releaseTimestamp; got two',
    ],
    ['{"versions": []}', 'expected an array of releases, or an object with releases'],
    ['[{"version": 1.0}]', 'entry 1: version: expected string; got 1\n'],
    [
      'version,isStable\n1.0,yes\n1.1,beta\n',
      'line 3: isStable: expected true or false; got "beta"',
    ],
    ['version,notes\n1.0,"5 of\n', 'line 2: a quotation mark is not closed'],
    [
      'version,isStable\n1.0,"a ""b"", c"\n1.1,""\n',
      String.raw`line 2: isStable: expected true or false; got "a \"b\", c"`,
    ],
    ['version,changelog\n1.0,https://example.com/1,0\n', 'line 2: expected 2 columns; got 3'],
    ['', 'lists no version'],
    ['[1', 'not JSON: '],
    ['{"releases": [],\n"releases": []}', 'line 2: has the key "releases" a second time'],
    [
      Array.from({ length: 10_001 }, (_, index) => `1.${index}\n`).join(''),
      'expected at most 10000 releases; got 10001',
    ],
  ])('names what it cannot read in a list, and writes nothing: %#', async (text, problem) => {
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

/** The file of a product: YAML between two lines of hyphens. */
function productFile(lines: string): string {
  return `---\n${lines}\n---\n> For people.\n`;
}

describe('add <product…>', () => {
  const cycles = `releases:
  - {releaseCycle: "3.0", releaseDate: 2026-03-01, eol: false, latest: "3.0.0"}
  - {releaseCycle: "2.1", releaseDate: 2025-10-01, eol: false, latest: "2.1.0"}
  - {releaseCycle: "2.0", releaseDate: 2025-04-01, eol: 2026-03-01, latest: "2.0.0"}
  - {releaseCycle: "1.0", releaseDate: 2024-04-01, eol: 2025-10-04, latest: "1.0.0"}`;
  const files: Record<string, string> = {
    tool: `title: Our tool
releasePolicyLink: https://ends.example.com/policy
identifiers:
  - purl: pkg:docker/example/tool
  - purl: pkg:npm/tool
  - cpe: cpe:2.3:a:example:tool
auto:
  methods:
    - npm: tool
    - release_table: https://ends.example.com/table
# https://ends.example.com/policy says:
# - eoas(x) = releaseDate(x+1)
# - eol(x) = releaseDate(x+2)
${cycles}`,
    server: `title: Server\nauto:\n  methods:\n    - git: URLserver.git\n      regex: ^server-(?P<major>\\d+)\\.(?P<minor>\\d+)$\n${cycles}`,
    desktop: `title: Desktop\nauto:\n  methods:\n    - distrowatch: desktop\n# - eol(x) = releaseDate(x+1)\n${cycles}`,
  };

  const ends = {
    links: { html: 'https://ends.example.com/', releasePolicy: null },
    releases: [
      { name: '3.0', isEol: false, eolFrom: null, latest: { name: '3.0.0', date: '2026-03-01' } },
    ],
  };

  const packument = {
    name: 'tool',
    versions: {
      '1.0.0': {},
      '2.0.0': {},
      '2.1.0': {},
      '3.0.0': { homepage: 'https://a.example/' },
    },
    time: {
      created: '2024-04-01T09:00:00.000Z',
      '1.0.0': '2024-04-01T09:00:00.000Z',
      '2.0.0': '2025-04-01T09:00:00.000Z',
      '2.1.0': '2025-10-01T09:00:00.000Z',
      '3.0.0': '2026-03-01T09:00:00.000Z',
    },
  };

  /** The files, the API, the npm registry and the Git server of all products. */
  async function startInstance(names: readonly string[]) {
    const pkt = (text: string) => (text.length + 5).toString(16).padStart(4, '0') + `${text}\n`;
    const tags = ['1.0', '3.0', '3.1_rc'].map((tag) =>
      pkt(`${'a'.repeat(40)} refs/tags/server-${tag}`),
    );
    const upstream = await startUpstream((url) =>
      serve(
        new Map<string, Document>([
          ['/tool', json(packument)],
          [
            '/server.git/info/refs?service=git-upload-pack',
            {
              type: 'application/x-git-upload-pack-advertisement',
              body: [...tags, '0000'].join(''),
            },
          ],
          ...names.map(
            (name) =>
              [
                `/products/${name}.md`,
                { type: 'text/plain', body: productFile(files[name]!.replaceAll('URL', url)) },
              ] as const,
          ),
          ...Object.keys(files).map(
            (name) =>
              [
                `/api/v1/products/${name}`,
                json({ result: { name, label: name, ...ends } }),
              ] as const,
          ),
        ]),
      ),
    );
    onTestFinished(() => upstream.close());

    return upstream.url;
  }

  const definitionIn = (dir: string, name: string) =>
    readJsonIn<object>(dir, `components/${name}.json`);

  test('makes sources, policies and aliases of the products of an instance', async () => {
    const url = await startInstance(Object.keys(files));
    const root = createRoot({});
    const links = [
      '--changelog',
      'https://example.com/{component}/changes',
      '--homepage',
      'https://example.com/{component}',
    ];
    const add = () =>
      runHere(
        ['add', ...Object.keys(files), ...links, '--from-instance', url, '--root', root.dir],
        {
          npm_config_registry: url,
        },
      );

    const { status, stdout } = await add();
    const again = await add();

    expect([status, again.status]).toEqual([0, 0]);
    expect(definitionIn(root.dir, 'tool')).toEqual({
      $schema: expect.any(String),
      title: 'Our tool',
      aliases: ['pkg:docker/example/tool'],
      homepage: 'https://example.com/tool',
      changelogUrl: 'https://example.com/tool/changes',
      sources: [{ datasource: 'npm', packageName: 'tool' }],
      support: {
        policy: 'latest-lines',
        phases: [
          { name: 'active', count: 1 },
          { name: 'security', count: 2 },
        ],
        url: 'https://ends.example.com/policy',
      },
    });
    expect(stdout).toContain(
      'support: the rule at endoflife.date for "tool"; stated there is another end for 1 of 2 lines: 1.0 2025-10-04 (rule: 2025-10-01)',
    );

    const registryUrl = `${url}api/`;
    const support = (product: string) => ({
      policy: 'stated',
      source: { datasource: 'endoflife-date', product, registryUrl },
    });
    expect(definitionIn(root.dir, 'server')).toMatchObject({
      sources: [
        {
          datasource: 'git-tags',
          packageName: `${url}server.git`,
          extractVersion: String.raw`^server-(?<version>(?:\d+)\.(?:\d+))$`,
        },
      ],
      support: support('server'),
    });
    expect(readJsonIn(root.dir, 'data/server.json')).toMatchObject({
      releases: [{ version: '1.0' }, { version: '3.0' }],
      lines: [{ line: '3.0' }],
    });
    expect(definitionIn(root.dir, 'desktop')).toMatchObject({
      sources: [{ datasource: 'endoflife-date', packageName: 'desktop', registryUrl }],
      support: support('desktop'),
    });
    expect(stdout).toContain(
      'support: as stated at endoflife.date for "desktop"; its rule gives another end for 3 of 3 lines: 2.1 supported (rule: 2026-03-01), ',
    );
    expect(stdout).toContain('sources: no datasource reads its list of releases (distrowatch)');
    expect(stdout).toContain(
      'server: the latest is 3.0, the greatest stable release that is not deprecated; stated is "3.0.0"',
    );
    expect(again.stdout).toContain('in the index already: tool, server, desktop\n');
  });

  test('takes 40 products at once, and names the two that it cannot take', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `product-${index + 1}`);
    const [absent, damaged, ...usable] = names;
    const text = (name: string) =>
      `title: ${name}\nauto:\n  methods:\n    - npm: ${name}\n${cycles}`;
    const upstream = await startUpstream(() =>
      serve(
        new Map<string, Document>([
          [`/products/${damaged}.md`, { type: 'text/plain', body: productFile('title: [') }],
          ...usable.flatMap((name): [string, Document][] => [
            [`/${name}`, json({ ...packument, name })],
            [`/products/${name}.md`, { type: 'text/plain', body: productFile(text(name)) }],
          ]),
        ]),
      ),
    );
    onTestFinished(() => upstream.close());
    const root = createRoot({});

    const links = ['--homepage', 'https://a.example/{component}'];
    const { status, stdout, stderr } = await runHere(
      ['add', ...names, ...links, '--from-instance', upstream.url, '--root', root.dir],
      { npm_config_registry: upstream.url },
    );

    expect(status).toBe(1);
    expect(stdout).toContain('add: added 38 of 40 packages; 0 in the index before, 2 failed.\n');
    expect(stderr.split('\n').filter((line) => !line.startsWith('add '))).toEqual([
      expect.stringMatching(
        /^warning: product-10 \([^)]*\): GET .*\/product-10 answered 404\. .* Likewise: product-11 \(.* and 32 more$/,
      ),
      expect.stringMatching(
        `^error: ${absent} \\(endoflife-date\\): GET .* answered 404\\. Nothing was written\\.$`,
      ),
      expect.stringMatching(`^error: ${damaged}: .*/${damaged}\\.md: .* Nothing was written\\.$`),
      '',
    ]);
    expect(stdout.match(/^support: .* \(38\)$/gm)).toHaveLength(1);
    for (const name of usable) {
      const source = { datasource: 'endoflife-date', product: name };
      expect(definitionIn(root.dir, name)).toMatchObject({ title: name, support: { source } });
    }
  });

  test('reads the files of a fork in a folder, and asks its API for the ends', async () => {
    const url = await startInstance([]);
    const folder = createRoot({});
    const root = createRoot({});
    folder.write('products/desktop.md', productFile(files['desktop']!));

    const links = [
      '--homepage',
      'https://example.com/{component}',
      '--changelog',
      'https://example.com/{component}',
    ];
    const { status } = await runHere([
      ...['add', 'endoflife-date', '--all', folder.dir, '--registry-url', `${url}api/`],
      ...[...links, '--root', root.dir],
    ]);
    const absent = await runHere([
      'add',
      'tool',
      '--from-instance',
      folder.dir,
      '--root',
      root.dir,
    ]);

    expect(status).toBe(0);
    expect(absent.stderr).toContain(
      '/products/tool.md: there is no such file. Nothing was written.',
    );
    expect(definitionIn(root.dir, 'desktop')).toMatchObject({
      title: 'Desktop',
      support: { policy: 'stated', source: { product: 'desktop', registryUrl: `${url}api/` } },
    });
  });

  test('leaves out a package URL that another component has', async () => {
    const url = await startInstance(['tool']);
    const root = createRoot({});
    root.write(
      'components/image.json',
      JSON.stringify({
        title: 'Image',
        homepage: 'https://example.com/',
        changelogUrl: 'https://example.com/',
        sources: [],
        aliases: ['pkg:docker/example/tool'],
      }),
    );

    await runHere(
      [
        'add',
        'tool',
        '--changelog',
        'https://example.com/',
        '--from-instance',
        url,
        '--root',
        root.dir,
      ],
      { npm_config_registry: url },
    );

    expect(definitionIn(root.dir, 'tool')).not.toHaveProperty('aliases');
  });
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

  test.each([
    ['a folder without files', [], 'expected files of products, *.md'],
    [
      'a file without releases',
      [['products/a.md', '---\ntitle: A\n---\n']],
      'a.md": releases: expected array',
    ],
    [
      'a file that is not YAML',
      [['products/a.md', '---\ntitle: [\n---\n']],
      'a.md": cannot be read as YAML: ',
    ],
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
