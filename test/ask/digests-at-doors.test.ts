import { beforeAll, expect, test } from 'vitest';
import { ask } from '../../src/ask/answers/ask.ts';
import { openFolder } from '../../src/cli/open-published.ts';
import { apiOf } from '../harness/api.ts';
import { openTools } from '../harness/mcp-clients.ts';
import { definition } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';
import { rootOf, siteOf } from '../harness/site.ts';

const day = '2026-11-23';
const digest = `sha256:${'0f'.repeat(32)}`;
const image = `example/gate@${digest}`;
const path = (text: string) => encodeURIComponent(text);

let root: string;
let out: string;

beforeAll(() => {
  root = rootOf({
    gate: {
      definition: definition({
        title: 'Gate',
        sources: [{ datasource: 'docker', packageName: 'example/gate' }],
      }),
      releases: [
        { version: '1.0', digests: { 'docker:example/gate': { 'example/gate:1.0': digest } } },
        { version: '1.1' },
      ],
    },
    agent: { definition: definition({ title: 'Agent' }), releases: [{ version: '2.0' }] },
  });
  out = siteOf(root, day);
});

test.each([
  `/api/components/gate/releases/${path(digest)}`,
  `/api/answers?question=${path(image)}`,
  `/api/answers?question=${path(`gate ${digest}`)}`,
  `/api/plan?with=${path(image)}`,
  `/api/components/agent/releases/2.0?with=${path(image)}`,
])('the API answers for the release of a recorded digest: %s', async (address) => {
  const answer = await apiOf(out)(address);

  expect([answer.status, await answer.text()]).toEqual([
    200,
    expect.stringContaining('"version": "1.0"'),
  ]);
});

test('the API answers 400 for a digest that is not recorded', async () => {
  const other = `sha256:${'1e'.repeat(32)}`;
  const answer = await apiOf(out)(`/api/components/gate/releases/${path(other)}`);

  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { detail: `version: the release of the digest ${other} is not known; name its version` },
  ]);
});

test('a page, a tool and the commands answer for the release of a recorded digest', async () => {
  const { index } = openFolder(out, () => day);
  const client = await openTools(out, day);
  const at = ['--root', root, '--as-of', day, '--json'];

  const boxed = await ask(index, image);
  const called = await client.callTool('check_versions', { text: image });
  const explained = await runHere(['explain', 'gate', digest, ...at]);
  const scanned = await runHere(['scan', image, ...at]);
  await client.close();

  expect(boxed).toMatchObject({ kind: 'version', answer: { version: '1.0' } });
  expect(called.content).toMatchObject({ items: [{ version: '1.0' }] });
  expect(JSON.parse(explained.stdout)).toMatchObject({ answer: { version: '1.0' } });
  expect(JSON.parse(scanned.stdout)).toMatchObject({
    results: [{ details: { version: '1.0' } }, {}],
  });
});
