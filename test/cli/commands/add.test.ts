import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addDays, toDay } from '../../../src/core/model/dates.ts';
import { checkout } from '../../harness/checkout.ts';
import {
  createRoot,
  definition,
  makeRoot,
  pathsIn,
  readJsonIn,
  writeIn,
} from '../../harness/root.ts';
import { answerOn } from '../../harness/endoflife-products.ts';
import { runHere } from '../../harness/run-here.ts';
import { typeOn } from '../../harness/terminal.ts';
import { json } from '../../harness/imitated-upstream.ts';
import { serve, startUpstream, type Document, type Upstream } from '../../harness/upstream.ts';

async function upstream(documents: (url: string) => Record<string, Document>): Promise<Upstream> {
  const started = await startUpstream((url) => serve(new Map(Object.entries(documents(url)))));
  onTestFinished(() => started.close());
  return started;
}

const daysAgo = (days: number) => `${addDays(toDay(new Date()), -days)}T12:00:00.000Z`;

/** The packument of `@example/agent`. */
function agent(about: object, times: Readonly<Record<string, string>> = { '1.0.0': daysAgo(10) }) {
  const versions = Object.fromEntries(Object.keys(times).map((version) => [version, {}]));
  const time = { created: '2020-01-01T00:00:00.000Z', ...times };
  return { '/@example%2fagent': json({ name: '@example/agent', versions, time, ...about }) };
}

const links = {
  homepage: 'https://example.com/agent',
  repository: { url: 'git+https://github.com/example/agent.git' },
};

/** Adds from a registry on loopback. */
async function addAgent(
  documents: Record<string, Document>,
  args: readonly string[] = [],
  root = makeRoot({}),
  env: Readonly<Record<string, string>> = {},
) {
  const { url } = await upstream(() => documents);
  const ran = await runHere(['add', 'npm', '@example/agent', '--root', root, ...args], {
    npm_config_registry: url,
    ...env,
  });
  return {
    ...ran,
    root,
    url,
    written: () => readJsonIn<object>(root, 'components/example-agent.json'),
  };
}

/** Adds where endoflife.date answers with these documents. Its address is that of the instance, with a path. */
async function addWithPolicy(documents: Record<string, Document>, path = 'api/') {
  const { url } = await upstream(() => documents);
  const added = await addAgent(agent(links), [], makeRoot({}), {
    ENDOFLIFE_DATE_URL: `${url}${path}`,
  });
  return { ...added, stdout: added.stdout.replaceAll(url, 'URL/'), endoflifeUrl: url };
}

const filesOf = (root: string) => pathsIn(root).filter((path) => !path.startsWith('.cache'));

describe('add', () => {
  test('writes the answer of the registry, and records the releases', async () => {
    const { status, stdout, stderr, root } = await addAgent(
      agent({ description: 'Connects builds\n to the server.', ...links }),
    );

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(readJsonIn(root, 'components/example-agent.json')).toEqual({
      $schema: '../node_modules/release-index/site/schema/definition.json',
      title: '@example/agent',
      description: 'Connects builds to the server.',
      homepage: 'https://example.com/agent',
      sourceRepository: 'https://github.com/example/agent',
      changelogUrl: 'https://github.com/example/agent/releases',
      sources: [{ datasource: 'npm', packageName: '@example/agent' }],
    });
    expect(readJsonIn(root, 'data/example-agent.json')).toMatchObject({
      releases: [{ version: '1.0.0', source: 'npm:@example/agent' }],
    });
    expect(stdout).toContain('components/example-agent.json: written, from the answer of npm\n');
    expect(stdout).toContain("changelogUrl: not stated; used its repository's list of releases\n");
    expect(stdout).toContain('example-agent: 1 release recorded; the latest is 1.0.0\n');
    expect(stdout).not.toContain('"title"');
  });

  test.each([
    ['the API', 'api/'],
    ['version 1 of the API', 'api/v1'],
    ['the instance', ''],
  ])('finds the policy of a package at endoflife.date, by the address of %s', async (_, path) => {
    const product = (name: string) => ({
      product: { name, uri: `https://endoflife.date/${name}` },
    });
    const list = [
      { identifier: 'pkg:npm/@Example/agent', ...product('nodejs') },
      { identifier: 'pkg:npm/other', ...product('angular') },
      'no identifier',
    ];

    const documents = {
      '/api/v1/identifiers/purl': json({ result: list }),
      '/api/v1/products/nodejs': json(answerOn('nodejs', '2026-01-31')),
    };
    const added = await addWithPolicy(documents, path);
    const { status, stdout, root, written, endoflifeUrl } = added;

    expect(status).toBe(0);
    expect(stdout).toContain(
      'support: stated by endoflife.date, which lists the package for nodejs\n',
    );
    const source = {
      datasource: 'endoflife-date',
      product: 'nodejs',
      registryUrl: `${endoflifeUrl}api/`,
    };
    expect(written()).toMatchObject({ support: { policy: 'stated', source } });
    expect(readJsonIn<{ lines: object[] }>(root, 'data/example-agent.json').lines).toHaveLength(6);
  });

  const product = (name: string) => ({ identifier: 'pkg:npm/%40example/agent', product: { name } });
  test.each([
    [
      undefined,
      'endoflife.date could not be asked (GET URL/api/v1/identifiers/purl answered 404); ',
    ],
    [[], 'endoflife.date does not list the package; '],
    [
      [product('one'), product('two')],
      'endoflife.date lists the package for several products, one, two; ',
    ],
  ])('says that no end is stated if endoflife.date answers with %j', async (result, note) => {
    const { stdout, written } = await addWithPolicy(
      result === undefined ? {} : { '/api/v1/identifiers/purl': json({ result }) },
    );

    expect(stdout).toContain(
      `support: ${note}no end is stated; add a support policy to state one\n`,
    );
    expect(written()).not.toHaveProperty('support');
  });

  test('advisories that could not be asked for are named by doctor until the definition has it', async () => {
    const { root } = await addWithPolicy({});
    const doctor = async () => {
      const { stdout } = await runHere(['doctor', '--root', root]);
      return stdout
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => /no source is asked for|"osv"/.test(line));
    };

    const before = await doctor();
    const defined = readJsonIn<{ sources: object[] }>(root, 'components/example-agent.json');
    const sources = [...defined.sources, { datasource: 'osv' }];
    writeIn(root, 'components/example-agent.json', { ...defined, sources });

    expect(before).toEqual([
      'unknown  advisories   no source is asked for example-agent',
      'add {"datasource": "osv"} to sources in the definition of each',
    ]);
    expect(await doctor()).toEqual([]);
  });

  const [homepage, changelogUrl] = ['https://a.example/', 'https://a.example/c'];
  const term = { policy: 'term', months: 18 };
  const older = { homepage: 'https://example.com/old' };
  const newest = agent({
    ...{ homepage: '', 'dist-tags': { latest: '1.1.0' } },
    versions: { '1.0.0': older, '1.1.0': { description: 'New.', ...links } },
  });
  const insecure = agent({ ...links, homepage: 'http://example.com/' });
  test.each<[string, Record<string, Document>, string[], object]>([
    ['a policy of the command line', agent(links), ['--support', 'term:18'], { support: term }],
    ['no policy', agent(links), ['--support', 'none'], { support: { policy: 'none' } }],
    [
      'values of the command line',
      agent(links),
      [...['--title', 'The agent', '--homepage', homepage, '--changelog', changelogUrl]],
      { title: 'The agent', homepage, changelogUrl },
    ],
    ['values of the newest release', newest, [], { description: 'New.', homepage: links.homepage }],
    [
      'the repository in place of an http: homepage',
      insecure,
      [],
      { homepage: 'https://github.com/example/agent' },
    ],
  ])('writes %s', async (_what, documents, args, expected) => {
    // Nothing answers at that address.
    const env = { ENDOFLIFE_DATE_URL: args.includes('--support') ? 'http://127.0.0.1:9/' : '' };
    const { status, stdout, written } = await addAgent(documents, args, makeRoot({}), env);

    expect(status).toBe(0);
    expect(written()).toMatchObject(expected);
    expect(stdout.includes('support: ')).toBe(!args.includes('--support'));
  });

  test('asks for the policy on a terminal, and asks again after a wrong answer', async () => {
    const { url } = await upstream(() => agent(links));
    const root = makeRoot({});
    const command = [
      process.execPath,
      join(checkout, 'src/cli.js'),
      'add npm @example/agent --root',
      root,
    ];

    const { status, said } = await typeOn(
      command.join(' '),
      /stated end\] /g,
      ['forever', 'latest-lines:3'],
      {
        npm_config_registry: url,
      },
    );

    expect(status).toBe(0);
    expect(said).toContain(
      'How long is a release line of example-agent supported, term:<months> or latest-lines:<count>? [no stated end] ',
    );
    expect(said).toContain('expected term:<months> or latest-lines:<count>; got "forever"');
    expect(said).toContain('support: as you answered');
    expect(readJsonIn(root, 'components/example-agent.json')).toMatchObject({
      support: { policy: 'latest-lines', count: 3 },
    });
  });

  test('writes nothing if the person leaves the question', async () => {
    const { url } = await upstream(() => agent(links));
    const root = makeRoot({});
    const command = `${process.execPath} ${checkout}/src/cli.js add npm @example/agent --root ${root}`;

    const { status, said } = await typeOn(command, /stated end\] /g, ['\u0004'], {
      npm_config_registry: url,
    });

    expect(status).toBe(1);
    expect(said).toContain('error: add: cancelled. Nothing was written');
    expect(filesOf(root)).toEqual([]);
  });

  test('changes nothing if a definition appears meanwhile', async () => {
    const freshness = { 'data/freshness/example-agent.json': { sources: {} } };
    const root = makeRoot(freshness);
    const file = 'components/example-agent.json';
    const { url } = await startUpstream(() => {
      const answer = serve(new Map(Object.entries(agent(links))));
      return (...exchange) => {
        writeIn(root, file, definition());
        answer(...exchange);
      };
    });

    const { status, stderr } = await runHere(['add', 'npm', '@example/agent', '--root', root], {
      npm_config_registry: url,
    });

    expect(status).toBe(1);
    expect(stderr).toContain(
      `${file} was changed by another program meanwhile. Nothing was written.`,
    );
    expect(readJsonIn(root, file)).toEqual(definition());
    expect(filesOf(root)).toEqual([file, ...Object.keys(freshness)]);
  });

  test('says that the registry states no days, as gather does with the first releases', async () => {
    const undated = agent(links, { '1.0.0': 'x', '1.1.0': 'x' });
    const { stderr, root, url } = await addAgent(undated);
    rmSync(join(root, 'data'), { recursive: true });
    const gather = () => runHere(['gather', '--root', root], { npm_config_registry: url });
    const [first, second] = [await gather(), await gather()];

    const message =
      /example-agent: npm:@example\/agent states no release days: 2 releases first seen on /;
    expect(stderr).toMatch(message);
    expect(first.stderr).toMatch(message);
    expect(second.stderr).not.toMatch(message);
  });

  test('names the schema of a checkout that has one', async () => {
    const index = createRoot().dir;
    writeIn(index, 'site/schema/definition.json', {});
    const { written } = await addAgent(agent(links), [], index);

    expect(written()).toMatchObject({ $schema: '../site/schema/definition.json' });
  });

  const noHomepage =
    /^error: example-agent \(npm\): its registry states no https: homepage, no https: changelogUrl; once site\/site\.json has its releasesUrl, the page of the component is used\. Give --homepage URL --changelog URL\. Nothing was written\.$/m;
  test.each<[string, Record<string, Document>, RegExp]>([
    ['states a number as homepage', agent({ homepage: 7 }), noHomepage],
    [
      'states a homepage that runs a script',
      agent({ homepage: 'javascript:alert(1)' }),
      noHomepage,
    ],
    ['states a password', agent({ homepage: 'https://someone:secret@example.com/' }), noHomepage],
    [
      'lists no version',
      agent(links, {}),
      /@example%2fagent lists no version\. Nothing was written\.$/m,
    ],
  ])('writes nothing if the registry %s', async (_what, documents, message) => {
    const undecided = createRoot({ releasesUrl: 'https://releases.invalid' }).dir;
    const before = filesOf(undecided);
    const { status, stderr, stdout, root } = await addAgent(documents, [], undecided);

    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('secret');
    expect(filesOf(root)).toEqual(before);
  });

  test('links to the page of the index where no other address is known', async () => {
    const index = createRoot({ releasesUrl: 'https://releases.example.com' }).dir;

    const { status, stdout, written } = await addAgent(agent({}), [], index);

    expect(status).toBe(0);
    expect(stdout).toContain('homepage: not stated; used its page in this index\n');
    expect(stdout).toContain('changelogUrl: not stated; used its homepage\n');
    expect(written()).toMatchObject({
      homepage: 'https://releases.example.com/example-agent.html',
      changelogUrl: 'https://releases.example.com/example-agent.html',
    });
  });

  test('writes nothing with --dry-run, and names the component as the command line says', async () => {
    const { status, stdout, root } = await addAgent(agent(links), [
      '--dry-run',
      '--name',
      'build-agent',
    ]);

    expect(status).toBe(0);
    expect(stdout).toContain('components/build-agent.json: would be written');
    expect(stdout).toContain('  "homepage": "https://example.com/agent",\n');
    expect(filesOf(root)).toEqual([]);
  });

  const former = definition({ renamedFrom: ['example-agent'] });
  test.each([
    [
      'a component',
      { 'components/example-agent.json': definition() },
      'components/example-agent.json: exists already.',
    ],
    [
      'data without a definition',
      { 'data/example-agent.json': { releases: [] } },
      'data/example-agent.json: has releases of',
    ],
    [
      'an earlier name',
      { 'components/other.json': former },
      'components/other.json: has "example-agent" as an earlier',
    ],
  ])('does not touch %s', async (_what, files, message) => {
    const root = makeRoot(files);
    const before = pathsIn(root);

    const { status, stderr } = await addAgent(agent(links), [], root);

    expect(status).toBe(1);
    expect(stderr).toContain(`error: ${message}`);
    expect(filesOf(root)).toEqual(before);
  });
});

test.each([
  ['ENDOFLIFE_DATE_URL', [], 'https://jane@ends.example.com/'],
  ['--from-instance', ['--from-instance', 'https://jane@ends.example.com/'], ''],
])('a wrong address of endoflife.date is reported by its origin, %s', async (name, args, url) => {
  const command = ['add', 'nodejs', 'postgresql', '--root', makeRoot({}), ...args];
  const { stderr } = await runHere(command, { ENDOFLIFE_DATE_URL: url });

  expect(stderr).toContain(`error: nodejs: ${name}: expected an https: address`);
  expect(stderr).toContain('Likewise: postgresql');
});

test('add without arguments lists the datasources of packages', async () => {
  const { status, stderr } = await runHere(['add']);

  expect(status).toBe(2);
  expect(stderr).toContain(
    'add expects <datasource> <package>; got none. Datasources:\n  add npm @scope/package\n',
  );
  expect(stderr).toContain('  add helm chart --registry-url URL\n');
  expect(stderr).not.toContain('  add page');
});

test.each([
  ['npm', 'add npm needs a second argument: add npm @scope/package'],
  ['nmp agent', '"nmp" is not a datasource of packages. Did you mean "npm"? Datasources:'],
  ['page https://example.com/', '"page" is not a datasource of packages. Datasources:'],
  ['json https://example.com/a https://example.com/b', 'add json expects a single document'],
  ['npm a/b/c', '<package>: expected a name such as @scope/package; got "a/b/c"'],
  ['helm agent', '--registry-url: helm has no default registry; give the address of its registry'],
  [
    'npm agent --registry-url http://me:secret@example.com/',
    '--registry-url: expected an https: address without',
  ],
  ['npm @acme/* --registry-url npm.example.com', '--registry-url: expected an https: address'],
  ['npm agent --homepage example.com', '--homepage: expected an https: address; got "example.com"'],
  [
    'npm agent --name Agent',
    '--name: expected a name of lower-case letters, digits and hyphens that begins with a letter or digit; got "Agent"',
  ],
  [
    'github-releases acme/api',
    'the name "api" belongs to a published path or a device of Windows; rename the component: npx release-index add github-releases acme/api --name acme-api',
  ],
  ['npm ~', '--name: "~" cannot become a component name'],
  ['json agent', '<package>: expected an https: address; got "agent"'],
  ['npm --all https://example.com/', '--all expects: add endoflife-date --all URL|FOLDER'],
  [
    'npm @scope/a --from-instance https://ends.example.com/',
    '--from-instance expects products: add nodejs --from-instance URL|FOLDER',
  ],
  [
    'endoflife-date --all https://a.example/ --from-instance https://b.example/',
    '--from-instance and --all: expected one of them',
  ],
  [
    'npm agent --support forever',
    '--support: expected term:<months> or latest-lines:<count>, or none; got',
  ],
])('add rejects "%s"', async (args, message) => {
  const { status, stderr } = await runHere(['add', ...args.split(' '), '--root', makeRoot({})]);

  expect(status).toBe(2);
  expect(stderr.split('\n')[0]).toContain(message);
  expect(stderr).not.toContain('secret');
});

test('add reports each problem of a package by itself', async () => {
  const { stderr } = await runHere(['add', 'docker', 'library/*', '--root', makeRoot({})]);

  expect(stderr).toContain('error: library/*: <package>: expected a name such as owner/image');
  expect(stderr).toContain('error: library/*: --name: "library/*" cannot become a component name');
});

test('add names all problems of several packages at once', async () => {
  const { status, stderr } = await runHere(['add', 'json', 'a', 'b', '--title', 'Both']);

  expect(status).toBe(2);
  expect(stderr).toContain('--title: expected a single package');
  expect(stderr).toContain('add json expects a single document');
});

describe('add of a component that was there before', () => {
  const times = { '1.0.0': daysAgo(400), '1.1.0': daysAgo(300) };
  const more = { ...times, '1.2.0': daysAgo(200) };
  const dataWith = (published: Readonly<Record<string, string>>) => ({
    releases: Object.entries(published).map(([version, at]) => ({
      ...{ version, timestampKind: 'published' },
      releaseTimestamp: expect.stringContaining(at.slice(0, 10)) as string,
    })),
  });
  const gather = (root: string, npm_config_registry: string) =>
    runHere(['gather', '--root', root], { npm_config_registry });

  test('records every release with its own day again, whatever freshness was left over', async () => {
    const { root, url } = await addAgent(agent(links, times));
    await gather(root, url);
    rmSync(join(root, 'components/example-agent.json'));
    rmSync(join(root, 'data/example-agent.json'));

    const again = await addAgent(agent(links, more), [], root);

    expect([again.status, again.stderr]).toEqual([0, '']);
    expect(readJsonIn(root, 'data/example-agent.json')).toMatchObject(dataWith(more));
    expect(pathsIn(join(root, 'data'))).toEqual([
      'example-agent.json',
      'freshness/example-agent.json',
    ]);
  });

  test('check reports lost data, and gathering records the days again', async () => {
    const { root, url: before } = await addAgent(agent(links, times));
    await gather(root, before);
    rmSync(join(root, 'data/example-agent.json'));
    const { url } = await upstream(() => agent(links, more));

    const checked = await runHere(['check', '--root', root]);
    await gather(root, url);

    expect(checked.status).toBe(1);
    expect(checked.stderr).toContain(
      'error: data/example-agent.json: is missing, although the component was gathered. If git has it, npx release-index plan names the command that restores it. Otherwise: npx release-index gather example-agent\n',
    );
    expect(readJsonIn(root, 'data/example-agent.json')).toMatchObject(dataWith(more));
  });

  test('overwrites it with --replace, and keeps recorded data and what people wrote', async () => {
    const support = { policy: 'term', months: 18 };
    const { root } = await addAgent(agent(links, times));
    const written = readJsonIn<object>(root, 'components/example-agent.json');
    const releaseChangelogUrl = { template: 'https://example.com/{version}' };
    const byHand = { support, releaseChangelogUrl };
    writeIn(root, 'components/example-agent.json', { ...written, title: 'Wrong', ...byHand });
    const pulled = { '1.1.0': times['1.1.0'] };

    const refused = await addAgent(agent(links, pulled), [], root);
    const replaced = await addAgent(agent(links, pulled), ['--replace', '--title', 'Right'], root);

    expect(refused.stderr).toContain('exists already. To overwrite it: --replace.');
    expect(replaced.status).toBe(0);
    expect(readJsonIn(root, 'components/example-agent.json')).toMatchObject({
      title: 'Right',
      ...byHand,
    });
    expect(readJsonIn(root, 'data/example-agent.json')).toMatchObject(dataWith(times));

    const unstated = await addAgent(agent({}, pulled), ['--replace'], root);
    expect(unstated.stdout).toContain('homepage: not stated; stays as it was\n');
  });

  test('does not overwrite what it cannot read', async () => {
    const { root } = await addAgent(agent(links, times));
    const path = 'components/example-agent.json';
    const written = { ...readJsonIn<object>(root, path), suport: { policy: 'term', months: 18 } };
    writeIn(root, path, written);

    const { status, stderr } = await addAgent(agent(links, times), ['--replace'], root);

    expect(status).toBe(1);
    expect(stderr).toContain(`${path}: suport: unknown key`);
    expect(readJsonIn(root, path)).toEqual(written);
  });
});
