import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkout } from './harness/checkout.ts';
import { runCli } from './harness/cli.ts';
import { copyOfFixtureIndex, temporaryFolder, writeIn } from './harness/root.ts';

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
  const { passed, failed } = testsOf(copy, 'test/record/conformance', '-t', 'hex');
  expect(failed).toEqual([]);
  expect(passed.length).toBeGreaterThan(15);
}, 300_000);

describe('the other recipes, done in one copy', () => {
  let copy: string;
  let root: string;

  beforeAll(() => {
    copy = copyOfProgram();
    cpSync(join(checkout, '.github'), join(copy, '.github'), { recursive: true });
    root = copyOfFixtureIndex();
  });

  it('a command, an endpoint and a field compile with a row each', () => {
    writeFileSync(join(copy, 'src/cli/commands/hello.ts'), hello);
    edit(
      copy,
      'src/cli/command-line.ts',
      '',
      'commands: Readonly<Record<string, string>> = {\n',
      "hello: 'greet',",
    );
    writeFileSync(join(copy, 'src/ask/server/api/greeting.ts'), greeting);
    edit(
      copy,
      'src/ask/server/api/router.ts',
      "import { showGreeting } from './greeting.ts';",
      'endpoints: readonly Endpoint[] = [\n',
      'showGreeting,',
    );
    edit(copy, 'src/core/query/fields.ts', '', 'const table = {\n', spelling);

    expect(compile(copy)).toBe('');
  });

  it('the command runs, and has its help', () => {
    expect(run(copy, ownProgram(copy), ['hello'])).toBe('Hello.\n');
    expect(run(copy, ownProgram(copy), ['help', 'hello'])).toContain('Greets who asks.');
  });

  it('the endpoint answers, and is in openapi.json and api.html', () => {
    writeFileSync(join(copy, 'ask.ts'), askGreeting);
    run(copy, ownProgram(copy), ['build', '--root', root]);

    expect(run(copy, join(copy, 'ask.ts'), [join(root, 'dist')])).toBe('200 []\n');
    for (const page of ['openapi.json', 'api.html']) {
      expect(readFileSync(join(root, 'dist', page), 'utf8'), page).toContain('/api/greeting');
    }
  });

  it('the field is in searches, tables, help and schemas', () => {
    const { passed, failed } = testsOf(copy, 'test/core/query/every-field.test.ts');

    expect(failed).toEqual([]);
    expect(passed).not.toEqual([]);
  });

  it('the contract test names what the contract lacks', () => {
    const { failed } = testsOf(copy, 'test/contract.test.ts');

    expect(failed).toEqual([
      'the contract names every command, and no other',
      'the contract names every field of queries, and no other',
      'the contract names every operation, and no other',
      'each verb has a script of npm, and each such script a verb',
    ]);
  });

  it('a policy for scans is a file', () => {
    const remediation = 'Move to the second line.';
    const policy = { query: 'line:2.*', description: 'The second line.', remediation };
    writeIn(root, 'site/policies/second.json', policy);
    const args = ['scan', 'edge-node@1.0', '--policy', 'second', '--root', root];

    expect(run(copy, ownProgram(copy), args)).toContain(remediation);
  });

  it('a support policy does not compile without the end of a line and a published form', () => {
    edit(
      copy,
      'src/core/schemas/definition/support-policy.ts',
      '',
      "z.discriminatedUnion('policy', [\n",
      "z.strictObject({ policy: formName('for-ever', 'It never ends.'), ...origin, lines: ownEnds, line: lineGroups }),",
    );

    const files = compile(copy).match(/^[^(\s]+(?=\()/gm);

    expect([...new Set(files)]).toEqual([
      'src/decide/details.ts',
      'src/decide/policy-sentences.ts',
      'src/decide/support.ts',
    ]);
  });
});

const hello = `import { shared, type Command, type Invocation } from '../command.ts';

const optionTable = shared('root');
type Options = typeof optionTable;

export const command: Command<Options> = {
  options: optionTable,
  details: ['Greets who asks.'],
  examples: [['hello', 'once']],
  run,
};

function run({ report }: Invocation<Options>): Promise<number> {
  report.print('Hello.');
  return Promise.resolve(0);
}
`;

const greeting = `import { defineEndpoint, describeJsonAnswer } from './endpoint.ts';
import { answerJson, formatElements } from './respond.ts';

export const showGreeting = defineEndpoint({
  name: 'show-greeting',
  path: '/api/greeting',
  summary: 'A greeting.',
  description: 'It has no releases.',
  parameters: [],
  answers: { 200: describeJsonAnswer('found-releases', 'Nothing, as JSON array') },
  handle: ({ request }) => answerJson(request, formatElements([])),
});
`;

const askGreeting = `import { apiOf } from './test/harness/api.ts';

const answer = await apiOf(process.argv[2]!)('/api/greeting');
console.log(answer.status, JSON.stringify(await answer.json()));
`;

const spelling = `spelling: {
    type: 'String',
    meaning: 'the version as a text',
    inSearch: { release: ['version'] },
    readRelease: ({ version }) => version,
  },`;

const ownProgram = (copy: string) => join(copy, 'src/cli.js');

/** Runs the tests of a file in a copy. */
function testsOf(copy: string, file: string, ...more: readonly string[]) {
  const options = ['--config', 'test/vitest.config.ts', '--project', 'main'];
  const report = join(copy, 'report.json');
  run(copy, 'vitest/vitest.mjs', [
    'run',
    ...options,
    file,
    ...more,
    '--reporter=json',
    `--outputFile=${report}`,
  ]);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: { status: string; title: string }[] }[];
  };
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const titles = (status: string) =>
    tests.filter((each) => each.status === status).map(({ title }) => title);

  return { passed: titles('passed'), failed: titles('failed') };
}

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
    return execFileSync(process.execPath, [resolve(checkout, 'node_modules', script), ...args], {
      cwd: copy,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
