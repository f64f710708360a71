import { beforeAll, expect, test } from 'vitest';
import { ask, listExamples } from '../../../src/ask/answers/ask.ts';
import { endpoints } from '../../../src/ask/server/api/endpoints.ts';
import { tools } from '../../../src/ask/server/mcp/tools.ts';
import { toolArguments } from '../../../src/site/render/examples.ts';
import { phraseExamples } from '../../../src/ask/answers/phrases.ts';
import type { PublishedIndex } from '../../../src/ask/answers/published-index.ts';
import { loadCommand } from '../../../src/cli/command-line.ts';
import { openFolder } from '../../../src/cli/open-published.ts';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { runCli } from '../../harness/cli.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';

let index: PublishedIndex;

beforeAll(() => {
  ({ index } = openFolder(siteOfFixtureIndex(), () => fixtureDay));
});

const commandsOf = async (name: string) =>
  (await loadCommand(name)).examples.map(([command]) => command);

/** Words as a shell reads them, without the index that an example names: the answers come from the fixtures. */
const wordsOf = (command: string) =>
  Array.from(
    command.replace(/ --index \S+/, '').matchAll(/'([^']*)'|(\S+)/g),
    ([, quoted, bare]) => quoted ?? bare!,
  );

test.each(['search', 'explain'])('each example in the help of %s has an answer', async (name) => {
  for (const command of await commandsOf(name)) {
    const [verb, ...rest] = wordsOf(command);
    const options = ['--root', fixtureIndex, '--as-of', fixtureDay];
    const { status, stdout } = await runCli([verb!, ...options, ...rest]);

    expect(status, command).toBe(0);
    expect(stdout, command).not.toMatch(/No release matches|is not (?:listed|released)/);
    expect(stdout.trim(), command).not.toBe('[]');
  }
});

test('each example of a tool has an answer', async () => {
  const values = { component: 'svc', version: '2025.1' };
  for (const { name, example, answer } of tools) {
    const { text, content } = await answer(toolArguments(example, values), {
      index,
      day: fixtureDay,
    });

    expect(text, name).not.toMatch(/No release matches|is not listed|^0 /);
    expect(JSON.stringify(content).length, name).toBeGreaterThan(100);
  }
});

test('each query in the description of a tool or an endpoint finds releases', async () => {
  const described = tools.flatMap(
    ({ description }) => /Examples: (.+?)\. /.exec(description)?.[1]!.split('; ') ?? [],
  );
  const parameters = endpoints.flatMap((endpoint) => endpoint.parameters);
  const ofApi = parameters.flatMap(({ name, example }) =>
    name === 'query' && example?.includes('{component}')
      ? example.replace('{component}', 'svc')
      : [],
  );

  expect(described.length + ofApi.length).toBeGreaterThan(4);
  for (const query of [...described, ...ofApi]) {
    expect(await ask(index, query), query).toMatchObject({
      kind: 'releases',
      total: expect.toSatisfy((total) => total > 0) as number,
    });
  }
});

test('each question that pages offer has an answer', async () => {
  for (const question of [...phraseExamples, ...(await listExamples(index))]) {
    const answer = await ask(index, question);
    expect(answer.kind, question).toMatch(/^(?:releases|version)$/);
    if (answer.kind === 'releases') {
      expect(answer.total, question).toBeGreaterThan(0);
    }
  }
});
