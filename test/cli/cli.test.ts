import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { main } from '../../src/main.ts';
import { sharedOptions } from '../../src/cli/verb.ts';
import { optionsOf, verbs } from '../../src/cli/verbs.ts';
import { linesOf, runCli, type Ran } from '../harness/cli.ts';
import { checkout } from '../harness/checkout.ts';
import { definition, makeRoot, pathsIn, readJsonIn, temporaryFolder, writeIn } from '../harness/root.ts';

const help = 'Help: npm run -s release-index -- --help';

/** The program within this process, which spares a start for each of many short calls. */
async function call(args: readonly string[]): Promise<Omit<Ran, 'signal'>> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const status = await main({
    argv: ['node', 'cli.js', ...args],
    env: {},
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    cwd: () => process.cwd(),
    chdir: (folder) => process.chdir(folder),
    on: () => undefined,
    exit(code): never {
      throw new Error(`exit ${code}`);
    },
  });
  return { status, stdout: textOf(stdout), stderr: textOf(stderr) };
}

function textOf(stream: PassThrough): string {
  return String(stream.read() ?? '');
}

/** What a wrong command line says: one line that tells what is wrong, and where there is help. */
async function refusal(...args: string[]): Promise<string> {
  const run = await call(args);
  const [message, hint, ...more] = linesOf(run.stderr);
  expect({ status: run.status, stdout: run.stdout, hint, more }).toEqual({
    status: 2,
    stdout: '',
    hint: help,
    more: [],
  });
  return message!;
}

describe('help', () => {
  test('names every verb and the options that all of them have', async () => {
    const { status, stdout, stderr } = await runCli(['--help']);

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const [name, { summary }] of Object.entries(verbs)) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +${summary.replace(/[/]/g, '\\/')}$`, 'm'));
    }
    for (const option of [
      '--root DIR',
      '--out DIR',
      '--as-of YYYY-MM-DD',
      '--base-url URL',
      '--json',
      '--help',
    ]) {
      expect(stdout).toContain(`  ${option}`);
    }
  });

  test.each(Object.keys(verbs))('of %s teaches it by example', async (name) => {
    const { status, stdout, stderr } = await call([name, '--help']);

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(linesOf(stdout)[0]).toBe(`${name}: ${verbs[name]!.summary}`);
    expect(stdout).toContain(`usage: npm run -s release-index -- ${name}`);
    for (const [command] of verbs[name]!.examples) expect(stdout).toContain(`  ${command}`);
    for (const option of Object.keys(optionsOf(name))) expect(stdout).toContain(`  --${option}`);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(125);
  });

  test('of a verb is found from either end', async () => {
    expect(await call(['help', 'build'])).toEqual(await call(['build', '--help']));
    expect((await call(['help', 'help'])).stdout).toBe((await call(['--help'])).stdout);
    expect(await refusal('help', 'biuld')).toMatch(/^unknown verb "biuld"\. Did you mean "build"\?/);
  });

  test('lists an option only where it means something, and elsewhere it is refused', async () => {
    const { stdout } = await call(['gather', '--help']);

    expect(stdout).not.toMatch(/--out|--base-url|--port/);
    expect(await refusal('gather', '--out', 'x')).toBe('--out means nothing to gather');
    for (const name of Object.keys(verbs)) {
      for (const option of Object.keys(sharedOptions).filter((key) => !(key in optionsOf(name))))
        expect(await refusal(name, `--${option}`, 'x')).toBe(`--${option} means nothing to ${name}`);
    }
  });

  test('the program says its version', async () => {
    const { version } = readJsonIn<{ version: string }>(checkout, 'package.json');

    expect(await call(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  test.each([['-h'], ['help']])('is found as %s, too', async (word) => {
    expect(await call([word])).toEqual(await call(['--help']));
  });

  test('is what a call of nothing at all gets, which is wrong all the same', async () => {
    const nothing = await runCli([]);

    expect(nothing.status).toBe(2);
    expect(nothing.stdout + nothing.stderr).toBe((await runCli(['--help'])).stdout);
  });
});

describe('a wrong command line', () => {
  test.each([
    [['gahter'], 'unknown verb "gahter". Did you mean "gather"? Verbs are gather, build, '],
    [['deploy-everything'], 'unknown verb "deploy-everything". Verbs are gather, build, '],
    [['constructor'], 'unknown verb "constructor". Verbs are gather'],
    [['--root', 'x', 'build'], 'expected a verb first; got "--root". Verbs are gather'],
    [['build', '--as-off', '2026-01-01'], 'unknown option "--as-off" of build. Did you mean "--as-of"?'],
    [['build', '--accept'], 'unknown option "--accept" of build.'],
    [['build', '-x'], 'unknown option "-x" of build.'],
    [['explain', '-x'], 'unknown option "-x" of explain. An argument that begins with "-" comes after "--".'],
    [['gather', '--acept'], 'unknown option "--acept" of gather. Did you mean "--accept"?'],
    [['build', '--as-of'], '--as-of needs a value: --as-of YYYY-MM-DD'],
    [['build', '--as-of='], '--as-of needs a value: --as-of YYYY-MM-DD'],
    [['build', '--root', '--out'], '--root needs a value: --root DIR'],
    [['build', '--json=yes'], '--json takes no value; got "yes"'],
    [['build', '--as-of', '2026-02-30'], '--as-of: expected a day that exists, YYYY-MM-DD; got "2026-02-30"'],
    [['build', '--as-of', 'today'], '--as-of: expected a day that exists, YYYY-MM-DD; got "today"'],
    [['build', '--root', '/no/such/folder'], '--root: there is no folder /no/such/folder'],
    [['build', '--root', '/etc/hostname'], '--root: there is no folder /etc/hostname'],
    [
      ['build', '--base-url', 'http://example.com'],
      '--base-url: expected an https: address (plain http: for loopback only); got "http://example.com"',
    ],
    [
      ['build', '--base-url', 'https://example.com/?a=1'],
      '--base-url: expected an address without ?, #, \', { and }; got "https://example.com/?…"',
    ],
    [
      ['build', '--base-url', 'https://someone:secret@example.com'],
      '--base-url: expected an https: address without user name and password; got "https://…@example.com"',
    ],
    [['build', '--constructor'], 'unknown option "--constructor" of build.'],
    [['build', '--toString=1'], 'unknown option "--toString" of build.'],
    [['build', '--__proto__'], 'unknown option "--__proto__" of build.'],
    [
      ['build', '--base-url', 'https://example.com/{{x}}/'],
      '--base-url: expected an address without ?, #, \', { and }; got "https://example.com/{{x}}"',
    ],
    [['build', 'svc'], 'build takes no arguments; got svc'],
    [['explain'], 'explain takes <component> [version]; got none'],
    [['explain', 'svc', '1.0', '2.0'], 'explain takes <component> [version]; got svc, 1.0, 2.0'],
  ])('%j: %s', async (args, message) => {
    expect(await refusal(...args)).toMatch(
      new RegExp(`^${message.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`),
    );
  });
});

test('is answered with a document, too, where machines read', async () => {
  const run = await call(['build', '--json', '--as-off', '2026-01-01']);
  const unknown = await call(['gahter', '--json']);
  const argument = await call(['explain', '--', '--json']);

  expect([run.status, linesOf(run.stderr).length]).toEqual([2, 2]);
  expect(JSON.parse(run.stdout)).toEqual({
    verb: 'build',
    findings: [
      {
        level: 'error',
        subject: 'command line',
        message: 'unknown option "--as-off" of build. Did you mean "--as-of"?',
      },
    ],
  });
  expect(Object.keys(JSON.parse(unknown.stdout) as object)).toEqual(['findings']);
  expect(argument).toMatchObject({ status: 2, stdout: '' });
});

test('relative folders count from where the person stands, who called npm from somewhere else', async () => {
  const folder = makeRoot({
    'mine/components/svc.json': definition(),
    'mine/data/svc.json': { releases: [] },
  });
  const script = (...args: string[]) =>
    spawnSync('npm', ['--prefix', checkout, 'run', '-s', 'release-index', '--', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });

  const built = script('build', '--root', 'mine', '--out', 'site');
  const compared = script('compare', './mine', '--root', 'mine');
  const shell = spawnSync(process.execPath, ['src/cli.js', 'check', '--root', 'mine'], {
    cwd: checkout,
    encoding: 'utf8',
    env: { ...process.env, INIT_CWD: folder, npm_package_json: join(folder, 'package.json') },
  });

  expect(built.stderr).toBe('');
  expect(pathsIn(join(folder, 'site'))).toContain('svc.json');
  expect(compared.stdout).toBe('The index says the same as before.\n');
  expect(shell.stderr).toContain(`--root: there is no folder ${join(checkout, 'mine')}`);
});

function explainedRoot(): string {
  return makeRoot({
    'components/svc.json': definition({ title: 'Server', support: { policy: 'term', months: 18 } }),
    'data/svc.json': {
      releases: [
        { version: '2024.2', releaseTimestamp: '2024-08-19', source: 'npm:svc', firstSeen: '2024-08-20' },
        { version: '2025.1', releaseTimestamp: '2025-04-08', timestampKind: 'observed' },
        { version: '2025.1.1' },
      ],
    },
  });
}

describe('explain', () => {
  const day = ['--as-of', '2026-06-01'];

  test('tells of a component what it decides, and what changes next', async () => {
    const run = await runCli(['explain', 'svc', '--root', explainedRoot(), ...day]);

    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(linesOf(run.stdout)).toEqual([
      'svc (Server) on 2026-06-01',
      'Policy: A release line is supported for 18 months from its first release.',
      'Latest: 2025.1.1, the greatest version that is stable and not deprecated.',
      'Freshness: static.',
      'Release lines, newest first (1 of 2 supported):',
      '  2025.1: supported until 2026-10-08. First release 2025-04-08, newest is 2025.1.1, 2 releases.',
      '  2024.2: ended on 2026-02-19. First release 2024-08-19, newest is 2024.2, 1 release.',
      'Next: on 2026-10-08, 2025.1 leaves support.',
    ]);
  });

  test('tells of a version why it stands where it stands, in whatever spelling', async () => {
    const run = await runCli(['explain', 'svc', 'v2024.02', '--root', explainedRoot(), ...day]);

    expect(linesOf(run.stdout)).toEqual([
      'svc 2024.2 on 2026-06-01: deprecated',
      'Order: 1 of 3, before 2025.1.',
      'Release line: 2024.2. Stable.',
      'Timestamp: 2024-08-19, published: stated by upstream.',
      'Changelog: not known',
      'Recorded from: npm:svc, first on 2024-08-20.',
      'Policy: A release line is supported for 18 months from its first release.',
      'Deprecated since 2026-02-19 by the support policy: 2024.2 was first released on 2024-08-19; a release line is supported for 18 months.',
      'Move to 2025.1.1, the latest version, with 1 release between.',
    ]);
  });

  test('says what an observed and an unknown day mean, and what will come', async () => {
    const folder = explainedRoot();
    const [observed, unknown] = await Promise.all(
      ['2025.1', '2025.1.1'].map((version) => runCli(['explain', 'svc', version, '--root', folder, ...day])),
    );

    expect(linesOf(observed!.stdout)).toEqual(
      expect.arrayContaining([
        'Timestamp: 2025-04-08, observed: upstream states no day; it existed by then at the latest.',
        'Supported. Leaves support on 2026-10-08: 2025.1 was first released on 2025-04-08; a release line is supported for 18 months.',
      ]),
    );
    expect(linesOf(unknown!.stdout)).toContain(
      'Timestamp: not known. Renovate holds such an update where minimumReleaseAge is set.',
    );
  });

  test('as one document for machines', async () => {
    const run = await runCli(['explain', 'svc', '--root', explainedRoot(), '--json', ...day]);

    expect(JSON.parse(run.stdout)).toMatchObject({
      verb: 'explain',
      component: 'svc',
      latest: '2025.1.1',
      nextChangeOn: '2026-10-08',
      releases: [{ version: '2024.2', status: 'deprecated' }, { version: '2025.1' }, { version: '2025.1.1' }],
    });
  });

  test('knows what was meant by an unknown name or version', async () => {
    const folder = explainedRoot();
    const [name, version] = await Promise.all([
      runCli(['explain', 'svv', '--root', folder, ...day]),
      runCli(['explain', 'svc', '2025.1.2', '--root', folder, ...day]),
    ]);

    expect(name.status).toBe(2);
    expect(linesOf(name.stderr)[0]).toBe('unknown component "svv". Did you mean "svc"?');
    expect(version.status).toBe(1);
    expect(linesOf(version.stderr)).toEqual([
      'error: svc: 2025.1.2 is not listed. Its release line 2025.1 leaves support on 2026-10-08. No need to move: no newer release of its release line is stable and not deprecated.',
    ]);
  });
});

describe('check', () => {
  test('tells every problem at once, and changes nothing', async () => {
    const root = makeRoot({
      'components/svc.json': definition({
        support: { policy: 'dated', lines: { '2025.1': '2025-01-31', '2030.1': '2031-01-01' } },
        deprecated: [
          { versions: ['3.4.1', 'latest'], reason: 'x' },
          { versions: '>9000', reason: 'y' },
        ],
        replacedBy: 'gone',
      }),
      'data/svc.json': {
        releases: [
          { version: '2025.1', releaseTimestamp: '2025-04-08' },
          { version: 'v2025.01' },
          { version: '2025.2', releaseTimestamp: '1999-07-15', firstSeen: '2999-01-01' },
        ],
      },
      'data/renamed.json': { releases: [] },
      'components/bad.json': { title: 'Bad' },
    });

    const run = await runCli(['check', '--root', root, '--as-of', '2026-06-01']);

    expect(run.status).toBe(1);
    expect(linesOf(run.stderr).toSorted()).toEqual([
      'error: components/bad.json: changelogUrl: expected string; got nothing, and it is required',
      'error: components/bad.json: homepage: expected string; got nothing, and it is required',
      'error: components/bad.json: sources: expected array; got nothing, and it is required',
      'error: components/svc.json: replacedBy: expected the name of another component; got "gone"',
      'error: data/renamed.json: there is no components/renamed.json. Was the component renamed?',
      'error: data/svc.json: 2025.2: firstSeen: 2999-01-01 lies in the future',
      'error: data/svc.json: 2025.2: releaseTimestamp: 1999-07-15 is before 2000-01-01, which Renovate does not take for a date',
      'warning: components/svc.json: deprecated[0].versions: "3.4.1" is not recorded',
      'warning: components/svc.json: deprecated[0].versions: "latest" has no place in the version order',
      'warning: components/svc.json: deprecated[1].versions: no recorded release lies in ">9000"',
      'warning: components/svc.json: support.lines["2025.1"]: 2025-01-31 is before the line\'s first release (2025-04-08)',
      'warning: components/svc.json: support.lines["2030.1"]: no recorded release belongs to this line',
      'warning: data/svc.json: 2025.2: releaseTimestamp: 1999-07-15 is years before 2025, the year of its name',
      'warning: svc: "v2025.01" and "2025.1" are one version in two spellings. The first recorded stays.',
    ]);
    expect(linesOf(run.stdout)).toEqual(['check: 2 components, 7 errors, 7 warnings.']);
  });

  test('warns where the latest version has no day', async () => {
    const root = makeRoot({
      'components/svc.json': definition(),
      'data/svc.json': { releases: [{ version: '1.0' }, { version: '1.1' }] },
    });

    const run = await runCli(['check', '--root', root]);

    expect(run.status).toBe(0);
    expect(linesOf(run.stderr)).toEqual([
      'warning: data/svc.json: 1.1: the latest version has no day, so Renovate never offers it to anyone who asks for a minimum age. ' +
        'The next run that finds it listed records one; otherwise write a releaseTimestamp.',
    ]);
  });

  test('looks at the built site, if there is one', async () => {
    const root = makeRoot({ 'components/svc.json': definition() });
    const out = temporaryFolder();
    await runCli(['build', '--root', root, '--out', `${out}/site`]);
    const sound = await runCli(['check', '--root', root, '--out', `${out}/site`]);
    writeIn(out, 'site/svc.json', '{"releases": null}');

    const run = await runCli(['check', '--root', root, '--out', `${out}/site`, '--json']);

    expect(sound).toMatchObject({ status: 0, stderr: '' });
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('svc.json: changed since the build: expected the digest');
    expect(run.stderr).toContain('svc.json: releases: expected array; got null');
    expect(JSON.parse(run.stdout)).toMatchObject({
      verb: 'check',
      components: 1,
      findings: expect.any(Array),
    });
  });
});

test('a reader that leaves early costs nothing but the rest of the text', async () => {
  const root = makeRoot({
    'components/svc.json': definition(),
    'data/svc.json': { releases: Array.from({ length: 5000 }, (_, index) => ({ version: `1.${index}` })) },
  });
  const program = new URL('../../src/cli.js', import.meta.url).pathname;

  const child = spawn(
    'sh',
    [
      '-c',
      '{ "$@"; echo "status $?" >&2; } | head -c 10',
      'sh',
      process.execPath,
      program,
      'explain',
      'svc',
      '--json',
      '--root',
      root,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout.resume();
  await once(child, 'close');

  expect(stderr).toBe('status 0\n');
});
