import { expect, test } from 'vitest';
import { runCli } from '../../harness/cli.ts';
import { createFolder, createIndex, openIndex } from '../../harness/index-folder.ts';
import { serveAnswers } from '../../harness/upstream.ts';

const day = '2026-11-20';
const listed = 'auto:\n  methods:\n    - git: https://git.example.com/x.git\n';

/** A checkout of the form of endoflife.date, and a mirror of what it publishes. */
async function createCheckout() {
  const checkout = openIndex(createFolder());
  const purl = (name: string) => `identifiers:\n  - purl: pkg:generic/${name}\n`;
  const product = (name: string, front: string) =>
    checkout.write(`products/${name}.md`, `---\ntitle: ${name}\n${front}---\n> Words.\n`);
  product('agent', `${listed}${purl('agent-one')}releasePolicyLink: https://a.example/x@y/z\n`);
  product('renovate', listed + purl('agent-one'));
  product('svc', listed);
  product('gone', listed);
  product('empty', listed);
  product('by-hand', 'auto:\n  methods:\n    - release_table: https://example.com\n');
  checkout.write('products/wrong.md', '---\ntitle: [\n---\n');

  const list = (...names: string[]) => ({
    releases: {},
    versions: Object.fromEntries(names.map((name) => [name, { name, date: '2026-01-31' }])),
  });
  const ends = {
    result: {
      releases: [
        { name: '1.1', isEol: false, eolFrom: '2027-03-31' },
        { name: '1.0', isEol: true, eolFrom: '2026-03-31' },
      ],
    },
  };
  const answers: Record<string, unknown> = {
    '/releases/agent.json': list('1.0.0', '1.1.0', 'sid'),
    '/releases/renovate.json': list('1.1.0'),
    '/releases/empty.json': list(),
    '/v1/products/agent': ends,
    '/v1/products/renovate': ends,
  };
  return { checkout, answers, mirror: await serveAnswers(answers) };
}

test('adds every product of a checkout, and only what is new when it runs again', async () => {
  const { checkout, answers, mirror } = await createCheckout();
  const index = createIndex({ signingPublicKey: undefined });
  const add = (...options: string[]) =>
    index.run('add', '--from', checkout.root, '--registry-url', mirror, ...options);
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
