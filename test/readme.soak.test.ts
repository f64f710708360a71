import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commands } from '../src/cli/commands.ts';
import { checkout } from './harness/checkout.ts';
import { runCli } from './harness/cli.ts';
import { copyOfFixtureIndex, temporaryFolder, writeIn } from './harness/root.ts';

const readme = ['README.md', '.github/CONTRIBUTING.md']
  .map((name) => readFileSync(join(checkout, name), 'utf8'))
  .join('\n');

it('the README leads to a component that is published', async () => {
  const root = copyOfFixtureIndex();
  writeIn(root, 'components/example-tool.json', sample('component'));

  const built = await runCli(['build', '--root', root]);
  const checked = await runCli(['check', '--root', root, '--json']);

  expect(built.status, built.stderr).toBe(0);
  expect(JSON.parse(checked.stdout)).toMatchObject({ components: 8, errors: 0 });
  expect(existsSync(join(root, 'dist/example-tool.html'))).toBe(true);
});

it('the README names the verbs that there are', () => {
  const scripts = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')).scripts as Record<
    string,
    string
  >;

  // A verb of two words is a script of its first.
  const words = Object.keys(commands).map((verb) => verb.split(' ')[0]!);
  for (const word of words) expect(scripts).toHaveProperty(word);
  for (const [, word] of readme.matchAll(/release-index -- ([a-z]+)/g)) expect(words).toContain(word);
});

it('the README leads to a datasource that stands every kind of bad day', () => {
  const copy = copyOfProgram();

  writeFileSync(join(copy, 'src/record/sources/hex.ts'), sample('adapter'));
  edit(
    copy,
    'src/record/sources/index.ts',
    (text) =>
      `import { hex } from './hex.ts';\n${text.replace(/(export const datasources = \[\n)/, '$1  hex,\n')}`,
  );
  expect(compile(copy)).toMatch(/^test\/harness\/imitated-upstreams\.ts.*Property 'hex' is missing/m);

  writeFileSync(join(copy, 'test/harness/upstreams/hex.ts'), sample('imitation'));
  edit(
    copy,
    'test/harness/imitated-upstreams.ts',
    (text) =>
      `import { hex } from './upstreams/hex.ts';\n${text.replace(/(export const imitatedUpstreams = \{\n)/, '$1  hex: [hex],\n')}`,
  );
  expect(compile(copy)).toBe('');
  run(
    copy,
    'vitest/vitest.mjs',
    'run --config test/vitest.config.ts --project main test/record/conformance -t hex --reporter=json --outputFile=report.json'.split(
      ' ',
    ),
  );
  const tests = testsOf(join(copy, 'report.json')).filter(({ status }) => status !== 'skipped');
  expect(tests.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(tests.length).toBeGreaterThan(15);
}, 300_000);

/** The code under a heading comment `<!-- sample: name -->`, without the indentation of its list. */
function sample(name: string): string {
  const match = new RegExp(`<!-- sample: ${name} -->\\s+\`\`\`\\w+\\n(.*?)\\n *\`\`\``, 's').exec(readme);
  if (!match) throw new Error(`the README has no sample "${name}"`);
  const indent = /^ */.exec(match[1]!)![0];
  return `${match[1]!
    .split('\n')
    .map((line) => line.slice(indent.length))
    .join('\n')}\n`;
}

/** The program with its tests, and no index. */
function copyOfProgram(): string {
  const copy = temporaryFolder();
  for (const name of ['src', 'test', 'site', 'package.json', 'tsconfig.json']) {
    cpSync(join(checkout, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'), 'dir');
  return copy;
}

function edit(copy: string, file: string, change: (text: string) => string): void {
  const before = readFileSync(join(copy, file), 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(join(copy, file), after);
}

/** What the compiler says; nothing where it has no complaint. */
function compile(copy: string): string {
  return run(copy, 'typescript/bin/tsc', ['--noEmit', '--pretty', 'false']);
}

function run(copy: string, script: string, args: readonly string[]): string {
  try {
    return execFileSync(process.execPath, [join(checkout, 'node_modules', script), ...args], {
      cwd: copy,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

interface TestOutcome {
  fullName: string;
  status: string;
  failureMessages: string[];
}

function testsOf(report: string): TestOutcome[] {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: TestOutcome[] }[];
  };
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages }) => ({ fullName, status, failureMessages })),
  );
}
