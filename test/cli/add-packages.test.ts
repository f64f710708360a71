import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRoot, pathsIn, readJsonIn, type TestRoot } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';
import { json } from '../harness/imitated-upstream.ts';
import { packument } from '../harness/npm-registry.ts';
import {
  always,
  deadUrl,
  serve,
  startUpstream,
  type Document,
  type Handler,
} from '../harness/upstream.ts';

const libraries = ['lib-01', 'lib-02', 'lib-03', 'lib-04', 'lib-05'];

function document(name: string, about: object = {}): [string, Document] {
  const listing = { '1.0.0': { at: '2026-01-10T09:30:00.000Z' } };
  return [`/${name.replace('/', '%2f')}`, json(packument(name, listing, about))];
}

function found(from: number, names: readonly string[]): [string, Document] {
  const objects = names.slice(from, from + 3).map((name) => ({ package: { name } }));
  return [
    `/-/v1/search?text=scope:acme&size=250&from=${from}`,
    json({ objects, total: names.length }),
  ];
}

const names = libraries.map((name) => `@acme/${name}`);

/** A private registry, whose packages state a homepage at most. */
async function registry(more: readonly [string, Document][] = []) {
  return startHere(
    serve(
      new Map([
        ...names.map((name) => document(name)),
        document('left-pad'),
        document('other'),
        ...more,
      ]),
    ),
  );
}

/** An upstream for one test. */
async function startHere(handler: Handler) {
  const started = await startUpstream(() => handler);
  onTestFinished(() => started.close());
  return started.url;
}

const defaults = {
  homepage: 'https://docs.example.com/{component}/',
  changelogUrl: 'https://git.example.com/{component}/-/releases',
  // Longer than anybody will run these tests.
  support: { policy: 'term', months: 1200 },
};

async function addTo(root: TestRoot, url: string, ...args: string[]) {
  return runHere(['add', ...args, '--root', root.dir], { npm_config_registry: url, CI: '1' });
}

const componentsIn = (root: TestRoot) => pathsIn(join(root.dir, 'components'));

test('add takes the packages of a scope, page by page, and passes over those of the index', async () => {
  const root = createRoot({ defaults });
  const url = await registry([
    found(0, [...names, '@acmes/other']),
    found(3, [...names, '@acmes/other']),
  ]);

  const first = await addTo(root, url, 'npm', '@acme/lib-02', 'left-pad');
  const all = await addTo(root, url, 'npm', '@acme/*');
  const again = await addTo(root, url, 'npm', '@acme/*', '--json');

  expect([first.status, all.status, again.status]).toEqual([0, 0, 0]);
  expect(first.stdout).toContain(
    'acme-lib-02: 1 release recorded; the latest is 1.0.0\nleft-pad: 1 release recorded; the latest is 1.0.0\n' +
      'homepage: not stated; inherited from site/site.json (2)\nchangelogUrl: not stated; inherited from site/site.json (2)\n' +
      'add: added 2 of 2 packages; 0 in the index before, 0 failed.\n',
  );
  expect(all.stdout).toContain('in the index already: acme-lib-02\n');
  expect(all.stdout).toContain('add: added 4 of 5 packages; 1 in the index before, 0 failed.\n');
  expect(all.stderr).toMatch(/^add 4\/4 @acme\/lib-\d\d$/m);
  expect(JSON.parse(again.stdout)).toMatchObject({
    verb: 'add',
    components: [],
    existing: libraries.map((name) => `acme-${name}`),
    findings: [],
  });
  expect(readJsonIn(root.dir, 'components/acme-lib-01.json')).toEqual({
    $schema: '../node_modules/release-index/site/schema/definition.json',
    title: '@acme/lib-01',
    sources: [{ datasource: 'npm', packageName: '@acme/lib-01' }],
  });
  expect((await runHere(['check', '--root', root.dir])).status).toBe(0);
});

test('add passes over a package of the index only in the same registry', async () => {
  const root = createRoot({ defaults });
  for (const [name, source] of Object.entries({
    tool: { datasource: 'docker', packageName: 'example/tool' },
    agent: { datasource: 'docker', packageName: 'example/agent', registryUrl: 'https://ghcr.io/' },
    kit: { datasource: 'npm', packageName: 'kit', registryUrl: 'https://npm.example.com' },
  })) {
    root.write(`components/${name}.json`, { title: name, sources: [source] });
  }
  root.write('images.txt', 'ghcr.io/example/tool:1\nghcr.io/example/agent:1\npkg:npm/kit@1.0.0\n');

  const url = await registry();
  const added = await addTo(root, url, '--from', join(root.dir, 'images.txt'));

  expect(added.stdout).toContain('in the index already: agent, kit\n');
  expect(added.stderr).toContain('error: components/tool.json: exists already.');
  expect(added.stderr).toContain(
    'npx release-index add docker example/tool --registry-url https://ghcr.io --name example-tool',
  );
});

test('add passes over a package of the index in another spelling, and one that is an alias', async () => {
  const root = createRoot({ defaults });
  const component = (name: string, datasource: string, packageName: string, ...aliases: string[]) =>
    root.write(`components/${name}.json`, {
      ...{ title: name, aliases: aliases.length > 0 ? aliases : undefined },
      sources: [{ datasource, packageName }],
    });
  component('kit', 'pypi', 'example-kit');
  component('nginx', 'docker', 'nginx');
  component('server', 'npm', 'server', 'pkg:maven/com.example/server');
  const list = 'pkg:pypi/Example_Kit\npkg:docker/library/nginx@1\npkg:maven/com.example/server@1\n';
  root.write('list.txt', list);

  const added = await addTo(root, await registry(), '--from', join(root.dir, 'list.txt'));

  expect(added.stdout).toContain('in the index already: kit, nginx, server\n');
});

test('add takes what a list names, and reports all problems without stopping at one', async () => {
  const root = createRoot({ defaults });
  const url = await registry();
  root.write(
    'names.txt',
    '%40acme/lib-01 %40acme/lib-02@1.0.0 other@1.0.0 %40acme/lib.01 gone all api'
      .replaceAll(/(?<=^| )/g, 'pkg:npm/')
      .replaceAll(' ', '\n'),
  );

  const { status, stdout, stderr } = await addTo(root, url, '--from', join(root.dir, 'names.txt'));

  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^error: gone \(npm\): GET http:\S+\/gone answered 404\. Nothing was written\.$/m,
  );
  expect(stderr).toMatch(
    /^error: @acme\/lib\.01: makes the name acme-lib-01, as @acme\/lib-01 does\. To add it: npx release-index add npm @acme\/lib\.01 --name acme-lib-01-npm$/m,
  );
  for (const name of ['all', 'api']) {
    expect(stderr).toContain(
      `error: ${name}: the name "${name}" belongs to a published path or a device of Windows; rename the component: npx release-index add npm ${name} --name ${name}-npm\n`,
    );
  }
  expect(stdout).toContain('add: added 3 of 7 packages; 0 in the index before, 4 failed.\n');
  expect(componentsIn(root)).toEqual(['acme-lib-01.json', 'acme-lib-02.json', 'other.json']);
});

/** An index without an address has no page that could be a homepage. */
const undecided = { releasesUrl: 'https://releases.invalid' };

test('add reports equal errors once, with the remedy for all', async () => {
  const root = createRoot({ ...undecided, defaults: { ...defaults, homepage: undefined } });
  const url = await registry(
    names.map((name) => document(name, { homepage: `http://wiki/${name}` })),
  );

  const { status, stdout, stderr } = await addTo(root, url, 'npm', ...names);

  root.write('site/site.json', { ...readJsonIn<object>(root.dir, 'site/site.json'), defaults });
  const remedied = await addTo(root, url, 'npm', ...names);

  expect(status).toBe(1);
  expect(stderr.split('\n').filter((line) => /^(?:error|warning|notice): /.test(line))).toEqual([
    'error: acme-lib-01 (npm): its registry states no https: homepage; once site/site.json has its releasesUrl, the page of the component is used. Set defaults.homepage in site/site.json. Nothing was written. Likewise: acme-lib-02 (npm), acme-lib-03 (npm), acme-lib-04 (npm), acme-lib-05 (npm)',
  ]);
  expect(stdout).toContain('added 0 of 5 packages; 0 in the index before, 5 failed.');
  expect(remedied.stdout).toContain(
    'homepage: the registry states "http://wiki/@acme/lib-01", which is not an https: address, the only form that is published; inherited from site/site.json (5)\n',
  );
  expect(remedied.stdout).not.toContain('homepage: not stated');
});

test('an address with {component} is the link of each package', async () => {
  const root = createRoot();
  const url = await registry(names.map((name) => document(name, {})));
  const add = (homepage: string) =>
    addTo(root, url, 'npm', ...names, '--homepage', homepage, '--changelog', `${homepage}#log`);

  const refused = await add('https://example.com/');
  const { status, stderr } = await add('https://example.com/{component}');

  expect([refused.status, refused.stderr]).toEqual([
    2,
    expect.stringContaining(
      '--homepage: expected an address with {component}, or a single package',
    ),
  ]);
  expect(status, stderr).toBe(0);
  expect(readJsonIn(root.dir, 'components/acme-lib-03.json')).toMatchObject({
    homepage: 'https://example.com/acme-lib-03',
    changelogUrl: 'https://example.com/acme-lib-03#log',
  });
});

test('add takes the packages of a bill of materials, and names what it leaves out', async () => {
  const root = createRoot({ defaults });
  const url = await registry();
  root.write('bom.json', {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6' },
    metadata: { component: { name: 'shop', version: '1.0.0', purl: 'pkg:npm/%40acme/shop@1.0.0' } },
    components: [
      { name: 'lib-01', group: '@acme', version: '1.0.0', purl: 'pkg:npm/%40acme/lib-01@1.0.0' },
      { name: 'lib-01', group: '@acme', version: '1.1.0', purl: 'pkg:npm/%40acme/lib-01@1.1.0' },
      { name: 'zlib', version: '1.3', purl: 'pkg:deb/debian/zlib@1.3' },
      { name: 'in-house' },
    ],
  });
  const ofBom = await addTo(root, url, '--from', join(root.dir, 'bom.json'));
  const named = await addTo(root, url, 'npm', '--from', join(root.dir, 'bom.json'));

  expect([ofBom.status, named.status]).toEqual([0, 2]);
  expect(ofBom.stderr).toContain(
    'left out pkg:deb/debian/zlib@1.3: no datasource has packages of the type deb\n',
  );
  expect(ofBom.stderr).toContain(
    'left out in-house: not a package URL, and not an image with a tag or a path\n',
  );
  expect(named.stderr).toContain('--from: expected no datasource and no packages beside it');
  expect(componentsIn(root)).toEqual(['acme-lib-01.json']);
});

test('add says what to do where a registry lists no scopes, and what options of one package mean for many', async () => {
  const root = createRoot(undecided);
  const url = await registry();

  const unlisted = await addTo(root, url, 'npm', '@acme/*');
  const ofPypi = await addTo(root, url, 'pypi', '@acme/*');
  const titled = await addTo(root, url, 'npm', 'other', 'left-pad', '--title', 'Both');
  const bare = await addTo(root, url, 'npm', 'other', '@acme/lib-01', '--dry-run');

  expect([unlisted.status, ofPypi.status, titled.status, bare.status]).toEqual([1, 2, 2, 1]);
  expect(unlisted.stderr).toMatch(
    /^error: @acme\/\*: GET \S+search answered 404\. Name the packages\.$/m,
  );
  expect(ofPypi.stderr).toContain('@acme/*: pypi has no scopes. Name the packages.');
  expect(titled.stderr).toContain('--title: expected a single package');
  expect(bare.stderr).toContain(
    'acme-lib-01 (npm): its registry states no https: homepage, no https: changelogUrl; once site/site.json has its releasesUrl, the page of the component is used. Set ',
  );
  expect(componentsIn(root)).toEqual([]);
});

test.each([
  ['is silent', deadUrl, /./],
  [
    'asks to wait',
    () => startHere(always(429, { 'retry-after': '3600' })),
    / answered 429 and asks to wait longer than the 60 s we wait$/,
  ],
])('a host that %s is one line, with all that it left out', async (_, findUrl, reason) => {
  const root = createRoot({ defaults });
  const url = await findUrl();

  const { status, stdout, stderr } = await addTo(root, url, 'npm', 'left-pad', ...names);

  const errors = stderr.split('\n').filter((line) => line.startsWith('error: '));
  expect(status).toBe(1);
  expect(errors).toEqual([
    expect.stringMatching(
      /^error: 127\.0\.0\.1:\d+: cannot be used now\. Not added: @acme\/lib-01, .+, left-pad\. GET http/,
    ),
  ]);
  expect(errors[0]).toMatch(reason);
  expect(stdout).toContain('add: added 0 of 6 packages; 0 in the index before, 6 failed.\n');
});

test('add names packages without release days in one line', async () => {
  const root = createRoot({ defaults });
  const copy = (name: string): [string, Document] => {
    const time = { '1.0.0': '2026-01-10T09:30:00.000Z' };
    return [`/${name}`, json({ name, versions: { '1.0.0': {} }, time })];
  };
  const url = await registry([copy('copy-a'), copy('copy-b')]);

  const { status, stderr } = await addTo(root, url, 'npm', 'copy-a', 'copy-b');

  expect(status).toBe(0);
  expect(stderr.match(/release days/g)).toHaveLength(1);
  expect(stderr).toMatch(/copy-a: .* states no release days: .* Likewise: copy-b$/m);
});

test('add prints a command that adds a package whose name is not free, and it works as printed', async () => {
  const root = createRoot({ defaults });
  const url = await registry([
    document('@acme/api'),
    document('@acme/left-pad'),
    document('@other/left-pad'),
  ]);
  const commandIn = (text: string) =>
    /npx release-index (add .+ --name [a-z0-9-]+)/.exec(text)![1]!;

  const first = await addTo(root, url, 'npm', 'left-pad');
  const equal = await addTo(root, url, 'npm', 'left-pad', '--registry-url', url);
  const reserved = await addTo(root, url, 'npm', '@acme/left-pad', '--name', 'api');
  const again = await addTo(root, url, ...commandIn(equal.stderr).split(' ').slice(1));

  expect([first.status, equal.status, reserved.status, again.status]).toEqual([0, 1, 2, 0]);
  expect(reserved.stderr).toContain('--name: the name "api" belongs to a published path');
  expect(componentsIn(root)).toEqual(['left-pad-npm.json', 'left-pad.json']);
});

test('of packages that make one name, add takes the first, whatever their registries', async () => {
  const root = createRoot({ defaults });
  const url = await registry();
  const packages = ['npm/left-pad', 'pypi/left-pad', "npm/left'pad"];
  root.write('names.txt', packages.map((name) => `pkg:${name}`).join('\n'));

  const args = ['--from', join(root.dir, 'names.txt'), '--dry-run'];
  const { stdout, stderr } = await addTo(root, url, ...args);

  expect(stdout).toContain('add: would add 1 of 3 packages; 0 in the index before, 2 failed.\n');
  expect(stderr).toContain(
    'error: left-pad: makes the name left-pad, as the package of npm does. To add it: npx release-index add pypi left-pad --name left-pad-pypi\n',
  );
});

test('a command to copy quotes a package for the shell, also one with a quote', async () => {
  const root = createRoot({ defaults });
  const url = await registry();
  root.write('names.txt', "pkg:npm/left-pad\npkg:npm/left'pad");

  const { stderr } = await addTo(root, url, '--from', join(root.dir, 'names.txt'));

  expect(stderr).toContain(String.raw`npx release-index add npm 'left'\''pad' --name left-pad-npm`);
});

test('add names each image of a list, also two of one name in different registries', async () => {
  const root = createRoot({ defaults });
  const url = await registry();
  root.write('images.txt', 'registry.invalid/team/tool:1.0\nregistry.invalid:5000/team/tool:1.0');

  const { stdout, stderr } = await addTo(root, url, '--from', join(root.dir, 'images.txt'));

  expect(stdout).toContain('add: added 0 of 2 packages; 0 in the index before, 2 failed.\n');
  expect(stderr).toContain(
    'npx release-index add docker team/tool --registry-url https://registry.invalid:5000 --name team-tool',
  );
});
