import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../../src/ask/answers/ask.ts';
import { openFolder } from '../../src/cli/open-published.ts';
import { apiOf } from '../harness/api.ts';
import { openTools, type McpClient } from '../harness/mcp-clients.ts';
import { definition, writeIn } from '../harness/root.ts';
import { ownProgram } from '../harness/cli.ts';
import { typeOn } from '../harness/terminal.ts';
import { runHere } from '../harness/run-here.ts';
import { recordOn, rootOf, siteOf } from '../harness/site.ts';

const day = '2026-11-23';

let root: string;
let out: string;
let client: McpClient;

beforeAll(async () => {
  root = rootOf({
    svc: {
      definition: definition({
        title: 'Server',
        renamedFrom: ['gate'],
        support: { policy: 'dated', lines: { '2025.1': '2026-10-08', '2025.2': '2027-05-05' } },
      }),
      releases: [{ version: '2025.1' }, { version: '2025.2' }],
    },
    agent: { definition: definition({ title: 'Agent' }), releases: [{ version: '1.2' }] },
  });
  out = siteOf(root, day);
  client = await openTools(out, day);
});

afterAll(() => client.close());

test.each([
  ['/api/components/gate', '"component": "svc"'],
  ['/api/components/gate/releases/2025.1', '"state": "ended"'],
  ['/api/components/agent/releases/1.2?with=gate@2025.1', '"svc"'],
  ['/api/answers?question=gate%202025.1', '"state": "ended"'],
  ['/api/plan?with=gate@2025.1', '"component": "svc"'],
])('the API reads a former name: %s', async (path, expected) => {
  const answer = await apiOf(out)(path);

  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain(expected);
});

test.each([
  ['check_versions', { text: 'gate 2025.1' }, 'Server 2025.1 was supported until'],
  ['show_component', { component: 'gate' }, 'Server (svc)'],
])('the tool %s reads a former name', async (tool, given, expected) => {
  const { isError, text } = await client.callTool(tool, given);

  expect(isError).toBe(false);
  expect(text).toContain(expected);
});

test('the box, explain and scan read a former name, which is no guess', async () => {
  const { index } = openFolder(out, () => day);
  const at = ['--root', root, '--as-of', day];
  const explained = await runHere(['explain', 'gate', '2025.1', ...at]);
  const scanned = await runHere(['scan', 'gate@2025.1', 'pkg:generic/gate@2025.1', ...at]);

  expect(await ask(index, 'gate 2025.1')).toMatchObject({
    kind: 'version',
    answer: { component: 'svc', version: '2025.1' },
  });
  expect(explained.stdout).toContain('svc 2025.1 on 2026-11-23: ended');
  expect(explained.stdout).not.toContain('Read as');
  expect(scanned.stdout).toContain('2 entries: 2 judged.');
});

test('explain says what it guessed, and guesses nothing for a program', async () => {
  const at = ['--root', root, '--as-of', day];
  const command = [process.execPath, ownProgram, 'explain', 'serverr', ...at].join(' ');
  const person = await typeOn(command, /never/g, []);
  const program = await runHere(['explain', 'serverr', '--json', ...at]);

  expect(person.said).toMatch(/^Read as Server\./);
  expect(program.status).not.toBe(0);
  expect(program.stdout).toContain('svc');
});

test('changes_since has the changes of a component before and after its renamings, by each name', async () => {
  const edge = { title: 'Edge' };
  const names = ['edge', 'node', 'gate'];
  const renamed = rootOf({
    edge: { definition: definition(edge), releases: [{ version: '1.0', firstSeen: '2026-11-01' }] },
    svc: { definition: definition() },
  });
  await recordOn(renamed, '2026-11-01');
  writeIn(renamed, 'data/edge.json', { releases: ['1.0', '1.1'].map((version) => ({ version })) });
  await recordOn(renamed, '2026-11-02');
  for (const [count, [from, to]] of [names.slice(0, 2), names.slice(1)].entries()) {
    for (const folder of ['components', 'data']) {
      renameSync(join(renamed, folder, `${from}.json`), join(renamed, folder, `${to}.json`));
    }
    const renamedFrom = names.slice(0, count + 1);
    writeIn(renamed, `components/${to}.json`, definition({ ...edge, renamedFrom }));
    await recordOn(renamed, `2026-11-0${count + 3}`);
  }
  writeIn(renamed, 'data/gate.json', {
    releases: ['1.0', '1.1', '1.2'].map((version) => ({ version })),
  });
  await recordOn(renamed, '2026-11-05');

  const tools = await openTools(siteOf(renamed, day), day);
  const typesSince = async (date: string, component: string) => {
    const { text, content } = await tools.callTool('changes_since', { date, component });
    return (
      (content?.['changes'] as { type: string }[] | undefined)?.map(({ type }) => type) ?? text
    );
  };
  const found: unknown[] = [];
  for (const name of [...names, 'Edge']) {
    found.push(await typesSince('2026-11-02', name), await typesSince('2026-11-05', name));
  }
  await tools.close();

  const all = ['released', 'renamed', 'renamed', 'released'];
  expect(found).toEqual([...names, 'Edge'].flatMap(() => [all, ['released']]));
});
