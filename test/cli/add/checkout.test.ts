import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../harness/cli.ts';
import { readFiles } from '../../harness/components.ts';
import { program } from '../../harness/example.ts';
import { createIndex } from '../../harness/index-folder.ts';
import { serveAnswers } from '../../harness/upstream.ts';

const day = '2026-11-20';
/** Of the form of endoflife.date, beside what a mirror of it publishes. */
const checkout = join(program, 'test/fixtures/checkout');

test('adds every product of a checkout, and only what is new when it runs again', async () => {
  const published = Array.from(
    readFiles(join(checkout, 'mirror')),
    ([path, text]) => [`/${path}`, JSON.parse(text) as unknown] as const,
  );
  const answers: Record<string, unknown> = Object.fromEntries(published);
  const mirror = await serveAnswers(answers);
  const index = createIndex({ signingPublicKey: undefined });
  const add = (...options: string[]) =>
    index.run('add', '--from', checkout, '--registry-url', mirror, ...options);
  const former = index.read('components/svc.json');

  const first = await add();
  expect(first.status).toBe(0);
  const [summary, headings, ...rows] = first.stdout.trimEnd().split('\n');
  expect(summary).toBe('2 components added, with 3 releases; 1 were there.');
  expect(headings).toMatch(/^product +what is missing$/);
  expect(rows.map((row) => row.replaceAll(/ {2,}/g, ': '))).toEqual([
    expect.stringMatching(/^agent: .*sid/),
    'by-hand: sources: endoflife.date keeps its releases by hand',
    expect.stringMatching(/^empty: .*\/releases\/empty\.json/),
    expect.stringMatching(/^gone: .*\/releases\/gone\.json answered 404.* Nothing was written$/),
    'renovate: its name, which belongs to a published path: it is renovate-product',
    'renovate: aliases that another component has: pkg:generic/agent-one',
    'wrong: is no product file of endoflife.date',
  ]);
  expect(JSON.parse(index.read('components/agent.json'))).toMatchObject({
    aliases: ['pkg:generic/agent-one'],
    homepage: 'https://a.example/x@y/z',
  });
  expect(index.read('components/svc.json')).toBe(former);

  answers['/releases/empty.json'] = { versions: { '3.0': { name: '3.0', date: '2026-02-01' } } };
  answers['/releases/gone.json'] = { versions: { '2.0': { name: '2.0', date: '2026-02-01' } } };
  // Several of them are one document.
  expect(JSON.parse((await add('--json')).stdout)).toMatchObject({
    added: ['empty', 'gone'],
    present: 3,
  });

  await index.run('start');
  expect(await index.run('check')).toMatchObject({ status: 0 });
  index.write('list.txt', 'agent 1.0.0\nrenovate-product 1.1.0\n');
  const scanned = await runCli([
    'scan',
    `${index.root}/list.txt`,
    '--out',
    index.out,
    '--as-of',
    day,
  ]);
  expect(scanned.stdout).toMatch(/^agent 1\.0\.0 +Ended +2026-03-31 +1\.1\.0 +supported$/m);
  expect(scanned.stdout).toMatch(/^renovate-product 1\.1\.0 +Supported +2027-03-31/m);
});

test('a folder of another kind, and words beside it, are refused', async () => {
  const { root, run } = createIndex();

  expect(await run('add', '--from', root)).toMatchObject({
    status: 1,
    stderr: `error: ${root}: expected a checkout of endoflife.date, with products/<name>.md\n`,
  });
  expect(await run('add', 'nodejs', '--from', root)).toMatchObject({ status: 2 });
  expect(await run('add')).toMatchObject({ status: 2 });
});
