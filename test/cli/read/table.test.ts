/** Checks the command that writes the table of supported versions into the files of a project. */
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../harness/cli.ts';
import { createFolder } from '../../harness/index-folder.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { buildExample } from '../../harness/site.ts';

const out = buildExample();
const printed = (await runCli(['table', 'svc', '--out', out])).stdout;
const [start, end] = ['<!-- release-index svc -->', '<!-- /release-index -->'];

/** Runs `table svc --write` on a file with this content. Returns the new content. */
async function write(content: string | Buffer, component = 'svc') {
  const file = join(createFolder(), 'SECURITY.md');
  writeFileSync(file, content);
  const ended = await runCli(['table', component, '--write', file, '--out', out]);
  return { ...ended, file, bytes: readFileSync(file), text: readFileSync(file, 'utf8') };
}

test('table prints the supported release lines of a component, newest first', () => {
  const lines = printed.split('\n');

  expect(lines[0]).toMatch(/^\| Version +\| Support +\|$/);
  expect(lines[2]).toMatch(/^\| 2026\.3 +\| at least until \S+ \(estimated\) \|$/);
  expect(lines.at(-2)).toMatch(/^\| older +\| ended +\|$/);
});

test('table reads a published index without a checkout', async () => {
  const { url } = await serveSite(out);
  const ended = await runCli(['table', 'Server', '--index', url], {});

  expect(ended).toMatchObject({ status: 0, stdout: printed });
});

test('--write replaces only what stands between the comments', async () => {
  const before = Buffer.from([0xff, 0x20, 0x0a]);
  const rest = '\n\n<!-- release-index other -->\nold\n<!-- /release-index -->\n';
  const content = Buffer.concat([before, Buffer.from(`# Security\n${start}\nold\n${end}${rest}`)]);
  const { status, bytes, stdout } = await write(content);

  const expected = `# Security\n${start}\n\n${printed}\n${end}${rest}`;
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Changed .*SECURITY\.md\n$/);
  expect(bytes).toEqual(Buffer.concat([before, Buffer.from(expected)]));
});

test('--write keeps the line ends of a file, and replaces each table of the component', async () => {
  const place = `${start}\r\n${end}\r\n`;
  const { text } = await write(`A\r\n${place}B\r\n${place}`);

  const table = `${start}\r\n\r\n${printed.replaceAll('\n', '\r\n')}\r\n${end}\r\n`;
  expect(text).toBe(`A\r\n${table}B\r\n${table}`);
});

test('--write does not touch a file that is up to date', async () => {
  const { file, text } = await write(`${start}\n${end}\n`);
  utimesSync(file, 1000, 1000);
  const again = await runCli(['table', 'svc', '--write', file, '--out', out]);

  expect(again).toMatchObject({ status: 0, stdout: `${file} is up to date\n` });
  expect([readFileSync(file, 'utf8'), statSync(file).mtimeMs]).toEqual([text, 1_000_000]);
});

test.each([
  ['no comments', 'Text\n'],
  ['no comment at the end', `${start}\ntext\n`],
  ['comments in the wrong order', `${end}\n${start}\n`],
  ['comments of another component', `<!-- release-index agent -->\n${end}\n`],
])('--write leaves a file with %s as it is, and prints the comments', async (_, content) => {
  const { status, stderr, text, file } = await write(content);

  expect({ status, text }).toEqual({ status: 1, text: content });
  expect(stderr).toBe(
    `error: ${file} has no place for the table. Write ${start} and ${end}, each on a line of its own\n`,
  );
});

test('table rejects an unknown component and a missing file', async () => {
  const file = join(createFolder(), 'none.md');
  const missing = await runCli(['table', 'svc', '--write', file, '--out', out]);
  const unknown = await runCli(['table', 'scv', '--out', out]);

  expect(missing).toMatchObject({
    status: 1,
    stderr: `error: ${file}: no such file or directory\n`,
  });
  expect(unknown.status).toBe(2);
  expect(unknown.stderr).toContain('Did you mean "svc"?');
});

test('--json gives the rows of the table', async () => {
  const { stdout } = await runCli(['table', 'svc', '--json', '--out', out]);

  expect(JSON.parse(stdout)).toMatchObject({
    component: 'svc',
    asOf: '2026-11-27',
    table: printed.trimEnd().split('\n'),
  });
});
