import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  commonOptions,
  flag,
  sharedOptions,
  text,
  texts,
  type OptionValues,
} from '../../src/cli/command.ts';
import { commands } from '../../src/cli/command-line.ts';

import { linesOf, ownProgram, runCli } from '../harness/cli.ts';
import { runHere } from '../harness/run-here.ts';
import { checkout } from '../harness/checkout.ts';
import { loadedVerbs } from '../harness/verbs.ts';
import {
  definition,
  makeRoot,
  pathsIn,
  readJsonIn,
  temporaryFolder,
  writeIn,
} from '../harness/root.ts';

const helpFor = (verb: string) => `Help: npx release-index ${verb}--help`;

const call = (args: readonly string[]) => runHere(args, {});

/** The first line about a wrong command line; the second one leads to the help. */
async function refusal(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await call(args);
  const [message, ...more] = linesOf(stderr);
  const words = args[0] === 'help' ? args.slice(1) : args;
  const verb = [words.slice(0, 2).join(' '), words[0]!].find((name) =>
    Object.hasOwn(commands, name),
  );
  const help = helpFor(verb === undefined ? '' : `${verb} `);
  expect({ status, stdout, more }).toEqual({ status: 2, stdout: '', more: [help] });
  return message!;
}

test('only the declared options of a command can be read', () => {
  const declared = { 'dry-run': flag(''), policy: texts('NAME', ''), to: text('DIR', '') };
  const options: OptionValues<typeof declared> = {
    to: 'there',
    policy: ['current'],
    'dry-run': true,
  };

  // @ts-expect-error A misspelt name does not compile.
  expect(options['dryrun']).toBeUndefined();
  // @ts-expect-error Nor does a value of another type.
  expect(options.to === true).toBe(false);
});

test.each(loadedVerbs)('$verb states isQuestion if it opens an index', ({ verb, command }) => {
  const file = join(checkout, 'src/cli/commands', `${verb.replace(' ', '-')}.ts`);
  const opensIndex = /'\.\.\/open-(?:index|published)\.ts'/.test(readFileSync(file, 'utf8'));

  expect(command.isQuestion ?? false).toBe(opensIndex);
});

describe('help', () => {
  test('lists every verb and the common options', async () => {
    const { status, stdout, stderr } = await call(['--help']);

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const rows = linesOf(stdout).map((line) => line.trim().split(/ {2,}/));
    expect(rows).toEqual(expect.arrayContaining(Object.entries(commands)));
    for (const option of ['--root DIR', '--out DIR', '--as-of YYYY-MM-DD', '--json', '--help']) {
      expect(stdout).toContain(`  ${option}`);
    }
    // Only the verbs that publish have it.
    expect(stdout).not.toContain('--to DIR');
  });

  test.each(loadedVerbs)(
    'of $verb has these words, and all of its options',
    async ({ verb, command: { options } }) => {
      const { status, stdout, stderr } = await call([verb, '--help']);

      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const file = join(checkout, 'test/fixtures/help', `${verb}.txt`);
      await expect(stdout).toMatchFileSnapshot(file);
      for (const option of Object.keys({ ...options, ...commonOptions })) {
        expect(stdout).toContain(`  --${option}`);
      }
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(125);
    },
  );

  test('of a verb is the same for help VERB and VERB --help', async () => {
    expect(await call(['help', 'build'])).toEqual(await call(['build', '--help']));
    for (const alias of [['help', 'help'], ['help'], ['-h']]) {
      expect((await call(alias)).stdout).toBe((await call(['--help'])).stdout);
    }
    expect(await refusal('help', 'biuld')).toMatch(
      /^unknown verb "biuld"\. Did you mean "build"\?/,
    );
  });

  test('lists the options of a verb, which rejects all others', async () => {
    const { stdout } = await call(['gather', '--help']);

    expect(stdout).not.toMatch(/--out|--base-url|--port/);
    expect(await refusal('gather', '--out', 'x')).toBe('gather does not accept --out');
    for (const { verb, command } of loadedVerbs) {
      const { options } = command;
      for (const option of Object.keys(sharedOptions).filter((key) => !(key in options))) {
        expect(await refusal(verb, `--${option}`, 'x')).toBe(`${verb} does not accept --${option}`);
      }
    }
  });

  test('prints the version of the program', async () => {
    const { version } = readJsonIn<{ version: string }>(checkout, 'package.json');

    expect(await call(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('is printed for an empty command line, which exits with 2', async () => {
    const { status, stdout, stderr } = await call([]);

    expect(status).toBe(2);
    expect(stdout + stderr).toBe((await call(['--help'])).stdout);
  });
});

describe('a wrong command line', () => {
  test.each([
    [['gahter'], 'unknown verb "gahter". Did you mean "gather"? Verbs are gather, record, build, '],
    [['constructor'], 'unknown verb "constructor". Verbs are gather'],
    [['--root', 'x', 'build'], 'expected a verb first; got "--root". Verbs are gather'],
    [
      ['build', '--as-off', '2026-01-01'],
      'unknown option "--as-off" of build. Did you mean "--as-of"?',
    ],
    [['key'], 'unknown verb "key". Did you mean "key new"?'],
    [['build', '-x'], 'unknown option "-x" of build.'],
    [
      ['explain', '-x'],
      'unknown option "-x" of explain. An argument that begins with "-" comes after "--".',
    ],
    [['gather', '--strct'], 'unknown option "--strct" of gather. Did you mean "--strict"?'],
    [['build', '--as-of'], '--as-of needs a value: --as-of YYYY-MM-DD'],
    [['build', '--as-of='], '--as-of needs a value: --as-of YYYY-MM-DD'],
    [['build', '--root', '--out'], '--root needs a value: --root DIR'],
    [['build', '--json=yes'], '--json accepts no value; got "yes"'],
    [
      ['build', '--as-of', '2026-01-01', '--as-of', '2026-01-02'],
      '--as-of: expected one value; got "2026-01-02" as a second one',
    ],
    [
      ['build', '--as-of', '2026-02-30'],
      '--as-of: expected a day that exists, YYYY-MM-DD; got "2026-02-30"',
    ],
    [['build', '--as-of', 'today'], '--as-of: expected a day that exists, YYYY-MM-DD; got "today"'],
    [['build', '--root', '/no/such/folder'], '--root: there is no folder /no/such/folder'],
    [
      ['build', '--base-url', 'http://example.com'],
      '--base-url: expected an https: address (plain http: for',
    ],
    [
      ['build', '--base-url', 'https://a:b@example.com'],
      '--base-url: expected an https: address without user',
    ],
    [['build', '--__proto__'], 'unknown option "--__proto__" of build.'],
    [
      ['build', '--base-url', 'https://example.com/{{x}}/'],
      '--base-url: expected an address without any of ? # { } ',
    ],
    [['build', 'svc'], 'build expects no arguments; got svc'],
    [['explain'], 'explain expects <component> [version]; got none'],
    [['verify', ''], 'verify expects [folder|URL]; got an empty argument'],
    [['init', ''], 'init expects [folder]; got an empty argument'],
    [['compare', ''], 'compare expects <folder>; got an empty argument'],
    [['explain', 'svc', '1.0', '2.0'], 'explain expects <component> [version]; got svc, 1.0, 2.0'],
  ])('%j is rejected', async (args, message) => {
    expect((await refusal(...args)).slice(0, message.length)).toBe(message);
  });
});

test('a wrong command line with --json prints a document, too', async () => {
  const run = await call(['build', '--json', '--as-off', '2026-01-01']);
  const unknown = await call(['gahter', '--json']);
  const argument = await call(['explain', '--', 'svc', '1.0', '--json']);

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

test('the program resolves relative folders against the folder in which npm was called', async () => {
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
  const shell = spawnSync(process.execPath, ['src/cli.js', 'check', '--root', 'mine'], {
    cwd: checkout,
    encoding: 'utf8',
    env: { ...process.env, INIT_CWD: folder, npm_package_json: join(folder, 'package.json') },
  });

  expect(built.stderr).toBe('');
  expect(pathsIn(join(folder, 'site'))).toContain('svc.json');
  expect(shell.stderr).toContain(`--root: there is no folder ${join(checkout, 'mine')}`);
});

test('a closed standard output does not change the exit status', () => {
  const releases = Array.from({ length: 5000 }, (_, index) => ({ version: `1.${index}` }));
  const root = makeRoot({ 'components/svc.json': definition(), 'data/svc.json': { releases } });
  const script = '{ "$@"; echo "status $?" >&2; } | head -c 10';
  const command = [process.execPath, ownProgram, 'explain', 'svc', '--json', '--root', root];

  const { stderr } = spawnSync('sh', ['-c', script, 'sh', ...command], { encoding: 'utf8' });

  expect(stderr).toBe('status 0\n');
});

test('npm ci brings Node on Linux, Windows and macOS', () => {
  interface Lock {
    packages: Record<string, { optional?: boolean; os?: string; cpu?: string; bin?: object }>;
  }
  const { packages } = readJsonIn<Lock>(checkout, 'package-lock.json');
  const { optionalDependencies } = readJsonIn<{ optionalDependencies: object }>(
    checkout,
    'package.json',
  );

  const systems = Object.keys(optionalDependencies)
    .map((name) => packages[`node_modules/${name}`]!)
    .filter(({ bin }) => bin && 'node' in bin)
    .map(({ os, cpu }) => `${os} ${cpu}`);

  expect(systems.sort()).toEqual([
    'darwin arm64',
    'darwin x64',
    'linux arm64',
    'linux x64',
    'win32 x64',
  ]);
});

test.each([
  [
    'a checkout, which brings the right one',
    ['src/main.ts'],
    'In the checkout, "npm ci" installs it on Linux, Windows and macOS',
  ],
  ['the package', [], 'Install a newer one'],
])('an older Node prints a sentence in %s', async (_, sources, advice) => {
  const folder = temporaryFolder();
  const program = readFileSync(join(checkout, 'src/cli.js'), 'utf8');
  writeIn(folder, 'package.json', { type: 'module', engines: { node: '>=99.1' } });
  for (const [path, text] of [
    ['src/cli.js', program],
    ...sources.map((path) => [path, 'enum No {}']),
  ]) {
    writeIn(folder, path!, text);
  }

  const { status, stdout, stderr } = await runCli(['--help'], {
    program: join(folder, 'src/cli.js'),
  });

  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(`release-index needs Node >=99.1, this is ${process.version}. ${advice}`);
  expect(linesOf(stderr)).toHaveLength(1);
});
