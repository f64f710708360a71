import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkout } from './harness/checkout.ts';
import { runCli } from './harness/cli.ts';
import { copyOfFixtureIndex, readJsonIn, temporaryFolder, writeIn } from './harness/root.ts';

const readme = ['.github/SETUP.md', '.github/CONTRIBUTING.md']
  .map((name) => readFileSync(join(checkout, name), 'utf8'))
  .join('\n');

it('the page about setup leads to a component that is published', async () => {
  const root = copyOfFixtureIndex();
  writeIn(root, 'components/example-tool.json', sample('component'));

  const built = await runCli(['build', '--root', root]);
  const checked = await runCli(['check', '--root', root, '--json']);

  expect(built.status, built.stderr).toBe(0);
  expect(JSON.parse(checked.stdout)).toMatchObject({ components: 8, errors: 0 });
  expect(existsSync(join(root, 'dist/example-tool.html'))).toBe(true);
});

it('the guide for contributors leads to a datasource that stands every kind of bad day', () => {
  const copy = copyOfProgram();

  writeFileSync(join(copy, 'src/record/sources/hex.ts'), sample('adapter'));
  edit(
    copy,
    'src/record/sources/index.ts',
    "import { hex } from './hex.ts';",
    'datasources = [\n',
    'hex,',
  );
  expect(compile(copy)).toMatch(
    /^test\/harness\/imitated-upstreams\.ts.*Property 'hex' is missing/m,
  );

  writeFileSync(join(copy, 'test/harness/upstreams/hex.ts'), sample('imitation'));
  edit(
    copy,
    'test/harness/imitated-upstreams.ts',
    "import { hex } from './upstreams/hex.ts';",
    'imitatedUpstreams = {\n',
    'hex: [hex],',
  );
  expect(compile(copy)).toBe('');
  run(
    copy,
    'vitest/vitest.mjs',
    'run --config test/vitest.config.ts --project main test/record/conformance -t hex --reporter=json --outputFile=report.json'.split(
      ' ',
    ),
  );
  const report = readJsonIn<{ numPassedTests: number; numFailedTests: number }>(
    copy,
    'report.json',
  );
  expect(report.numFailedTests, JSON.stringify(report)).toBe(0);
  expect(report.numPassedTests).toBeGreaterThan(15);
}, 300_000);

/** The code under a heading comment `<!-- sample: name -->`, without the indentation of its list. */
function sample(name: string): string {
  const match = new RegExp(`<!-- sample: ${name} -->\\s+\`\`\`\\w+\\n(.*?)\\n *\`\`\``, 's').exec(
    readme,
  );
  if (!match) {
    throw new Error(`the documents have no sample "${name}"`);
  }
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

/** Adds a line at the top of a file, and one after the beginning of a list. */
function edit(
  copy: string,
  path: string,
  firstLine: string,
  beginning: string,
  entry: string,
): void {
  const file = join(copy, path);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(beginning);
  writeFileSync(file, `${firstLine}\n${text.replace(beginning, `${beginning}  ${entry}\n`)}`);
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
