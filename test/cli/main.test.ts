import { expect, test } from 'vitest';
import { runCli, verbs } from '../harness/cli.ts';
import { exampleRoot } from '../harness/example.ts';
import { createFolder, createIndex } from '../harness/index-folder.ts';
import { listen } from '../harness/listen.ts';

const empty = createFolder();

test('the help and CONTRACT list exactly the commands that exist', async () => {
  const { status, stdout } = await runCli(['--help']);
  const [, commands = ''] = stdout.split('Start:\n');

  const listed = Array.from(commands.matchAll(/^  ([a-z]+) /gm), ([, verb]) => verb);
  expect(listed.sort()).toEqual(verbs.toSorted());
  expect(status).toBe(0);
});

test.each<[line: string, status: number, message: string, root?: string]>([
  ['explian svc', 2, 'Did you mean explain?'],
  ['build --as-of 2026-02-30', 2, 'Expected a day that exists, YYYY-MM-DD.'],
  ['explain svc --index ftp://example.com', 2, 'Expected an http or https address.'],
  ['add npm', 2, 'add npm expects one package, such as @scope/package'],
  ['add page x', 2, 'add writes no page: write a source with datasource, url, matchStrings into'],
  ['add helm chart', 2, '--registry-url: helm has no default registry'],
  ...['abc', '-1', '1.5', '99999'].map((port): [string, number, string] => {
    return [`preview --port ${port}`, 2, 'Expected a port, 0 to 65535.'];
  }),
  ['init x --releases-url https://a/"x', 2, 'Expected an http or https address.'],
  ['explain svc --index http://127.0.0.1:99999', 2, 'Expected an http or https address.'],
  ['verify . --key /dev/zero', 1, 'expected a file; got a device'],
  ['add npm x --support forever', 2, 'Expected term:<months>, latest-lines:<count>'],
  ['build', 1, 'Is this the folder of an index? Name another by --root', empty],
  ['explain svc', 3, 'there is no built site', empty],
  ['add static .', 1, 'expected a file; got a folder'],
  ['add static absent.csv', 1, 'no such file or directory'],
])(
  '"%s" exits with %i and prints the reason, even with --json',
  async (line, expected, message, root) => {
    const args = [...line.split(' '), '--json', '--root', root ?? exampleRoot];

    const { status, stdout, stderr } = await runCli(args);

    const { problems } = JSON.parse(stdout) as { problems: { message: string }[] };
    expect(problems.map((each) => each.message)).toEqual([expect.stringContaining(message)]);
    expect(stderr).toContain(message);
    expect(status).toBe(expected);
  },
);

test.each([
  ['help', '--help'],
  ['help key new', 'key new --help'],
  ['-v', '--version'],
])('"%s" prints what "%s" prints', async (line, usual) => {
  const { stdout, status } = await runCli(line.split(' '));

  expect(stdout).toBe((await runCli(usual.split(' '))).stdout);
  expect(stdout).not.toBe('');
  expect(status).toBe(0);
});

test('preview reports that its port is in use', async () => {
  const { port } = new URL(await listen(() => undefined));
  const index = createIndex();
  await index.run('build');

  const { stderr } = await index.run('preview', '--port', port);

  expect(stderr).toBe(`error: port ${port}: address already in use\n`);
});
