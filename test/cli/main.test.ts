import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { exampleRoot } from '../harness/example.ts';
import { runCli } from '../harness/cli.ts';
import { createFolder } from '../harness/index-folder.ts';

const empty = createFolder();

const verbs =
  'start gather build check preview publish daily plan accept init add explain search scan verify sign key mcp'.split(
    ' ',
  );

test('the help names every verb of the contract, and each is a script of npm', async () => {
  const { status, stdout } = await runCli(['--help']);

  for (const verb of verbs) {
    expect(stdout).toMatch(new RegExp(`^  ${verb} +[a-z]`, 'm'));
    expect(manifest.scripts).toHaveProperty(
      verb,
      expect.stringMatching(`^node (?:--\\S+ )*src/cli\\.js ${verb}$`),
    );
  }
  expect(manifest.scripts['release-index']).toBe('node src/cli.js');
  expect(status).toBe(0);
});

test.each(verbs)('the help of %s has an example, whose words the verb knows', async (verb) => {
  const { status, stdout } = await runCli([verb, '--help']);

  const [, example = ''] = /^Example: npx release-index (.+)$/m.exec(stdout) ?? [];
  expect(example.split(' ')[0]).toBe(verb);
  for (const [option] of example.matchAll(/--[a-z-]+/g)) {
    const help = verb === 'key' ? (await runCli(['key', 'new', '--help'])).stdout : stdout;
    expect(help).toContain(`  ${option} `);
  }
  expect(status).toBe(0);
});

test.each([
  [['explian', 'svc'], 'Did you mean explain?'],
  [['build', '--as-off', '2026-01-01'], 'Did you mean --as-of?'],
  [['build', '--as-of', '2026-02-30'], 'Expected a day that exists, YYYY-MM-DD.'],
  [['explain'], "missing required argument 'component'"],
  [['explain', 'svc', '--index', 'ftp://example.com'], 'Expected an http or https address.'],
  [['add', 'npm'], 'add npm expects one package, such as @scope/package'],
  [['add', 'helm', 'chart'], '--registry-url: helm has no default registry'],
  [['add', 'npm', 'x', '--support', 'forever'], 'Expected term:<months>, latest-lines:<count>'],
])('%j is a wrong command line: exit status 2', async (args, message) => {
  const { status, stderr } = await runCli([...args, '--root', exampleRoot]);

  expect(stderr).toContain(message);
  expect(status).toBe(2);
});

test('a folder without an index is named, with the option that names another: exit status 1', async () => {
  const { status, stderr } = await runCli(['build', '--root', empty]);

  expect(stderr).toBe(
    'error: site/site.json: there is no such file. Is this the folder of an index? --root names it\n',
  );
  expect(status).toBe(1);
});

test('without a built site there is no answer: exit status 3', async () => {
  const { status, stderr } = await runCli(['explain', 'svc', '--root', empty]);

  expect(stderr).toContain('error: ');
  expect(status).toBe(3);
});

test('--json prints the problems in place of everything else', async () => {
  const { status, stdout } = await runCli(['build', '--json', '--root', empty]);

  expect(JSON.parse(stdout)).toEqual({
    problems: [{ subject: 'site/site.json', message: expect.stringContaining('no such file') }],
  });
  expect(status).toBe(1);
});
