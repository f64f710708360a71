import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { exampleRoot } from '../harness/example.ts';
import { runCli } from '../harness/cli.ts';
import { createFolder, createIndex } from '../harness/index-folder.ts';
import { listen } from '../harness/listen.ts';

const empty = createFolder();
const verbs =
  'start gather build check preview publish daily plan accept init add explain search scan verify sign key mcp';

test('the help names every verb of the contract, and each is a script of npm', async () => {
  const { status, stdout } = await runCli(['--help']);

  for (const verb of verbs.split(' ')) {
    expect(stdout).toMatch(new RegExp(`^  ${verb} +[a-z]`, 'm'));
    expect(manifest.scripts).toHaveProperty(
      verb,
      expect.stringMatching(`^node (?:--\\S+ )*src/cli\\.js ${verb}$`),
    );
  }
  expect(manifest.scripts['release-index']).toBe('node src/cli.js');
  expect(status).toBe(0);
});

test.each([
  [['explian', 'svc'], 'Did you mean explain?'],
  [['build', '--as-off', '2026-01-01'], 'Did you mean --as-of?'],
  [['build', '--as-of', '2026-02-30'], 'Expected a day that exists, YYYY-MM-DD.'],
  [['explain'], "missing required argument 'component'"],
  [['explain', 'svc', '--index', 'ftp://example.com'], 'Expected an http or https address.'],
  [['add', 'npm'], 'add npm expects one package, such as @scope/package'],
  [['add', 'page', 'x'], 'add writes no page: write the source, with url and matchStrings,'],
  [['add', 'helm', 'chart'], '--registry-url: helm has no default registry'],
  [['add', 'npm', 'x', '--support', 'forever'], 'Expected term:<months>, latest-lines:<count>'],
])('%j is a wrong command line: exit status 2', async (args, message) => {
  const { status, stderr } = await runCli([...args, '--root', exampleRoot]);

  expect(stderr).toContain(message);
  expect(status).toBe(2);
});

test.each<[args: string[], status: number, message: string]>([
  [['explian'], 2, "unknown command 'explian'"],
  [['build', '--root', empty], 1, 'Is this the folder of an index? --root names it'],
  [['explain', 'svc', '--root', empty], 3, 'no site was built there'],
  [['add', 'static', '.', '--root', exampleRoot], 1, 'illegal operation on a directory'],
  [['add', 'static', 'absent.csv', '--root', exampleRoot], 1, 'no such file or directory'],
])('%j ends with a sentence, and with --json as a document', async (args, expected, message) => {
  const { status, stdout, stderr } = await runCli([...args, '--json']);

  const { problems } = JSON.parse(stdout) as { problems: { message: string }[] };
  expect(problems.map((each) => each.message)).toEqual([expect.stringContaining(message)]);
  expect(stderr).toContain(message);
  expect(status).toBe(expected);
});

test('a taken port is said in a sentence', async () => {
  const { port } = new URL(await listen(() => undefined));
  const index = createIndex();
  await index.run('build');

  const { stderr } = await index.run('preview', '--port', port);

  expect(stderr).toBe(`error: port ${port}: address already in use\n`);
});
