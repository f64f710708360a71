import { expect, test } from 'vitest';
import { datasources, type TypedSource } from '../src/record/sources/index.ts';
import { ask as askSource } from './harness/asking.ts';
import { fixtureDay } from './harness/checkout.ts';
import { leastCpu, openDoors, texts, type Door } from './harness/refusing-doors.ts';
import { siteOfFixtureIndex } from './harness/site.ts';
import { answer, type Handler } from './harness/upstream.ts';

/** Answers everything with documents whose values are the text. */
function hostile(text: string): Handler {
  const value = JSON.stringify(text);
  const keys = ['name', 'versions', 'time', 'tags', 'releases', 'files', 'info', 'results', 'data'];
  const members = keys.map((key) => `"${key}": ${value}`).join(',');
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const xml = `<metadata><versioning><versions><version>${escaped}</version></versions></versioning></metadata>`;

  return (request, response) => {
    const accepted = request.headers.accept ?? '';

    if (accepted.includes('json')) {
      const type = accepted.split(/[,;]/).find((each) => each.includes('json'))!;
      return answer(response, 200, type.trim(), `{${members}}`);
    }

    const type = accepted.split(/[,;]/)[0]!.trim();
    const body = type.includes('xml') ? xml : `<html>${escaped}</html>\n${text}`;

    return answer(response, 200, type.includes('*') ? 'text/plain' : type, body);
  };
}

/** Reading 64 kB of plain JSON twenty times over: hardly a refusal takes as long, and noise is less. */
const numbers = `[${'1,'.repeat(31_999)}1]`;
const yardstick = await leastCpu(() => {
  for (let round = 0; round < 20; round += 1) {
    JSON.parse(numbers);
  }
});

/** Twice as much takes twice as long, not four times. The yardstick is the least that counts, so most need no comparison. */
async function expectLinear(door: Door, kinds = Object.keys(texts)): Promise<void> {
  for (const kind of kinds) {
    const [less, more] = [texts[kind]!(32_000), texts[kind]!(64_000)];
    let ratio = (await leastCpu(() => door(more), 1)) / yardstick;

    // A busy machine may disturb a measurement, but not each of five.
    for (let round = 0; round < 5 && ratio >= 3; round += 1) {
      const cost = await leastCpu(() => door(less), 3);
      ratio = (await leastCpu(() => door(more), 3)) / Math.max(cost, yardstick);
    }

    expect.soft(ratio, kind).toBeLessThan(3);
  }
}

const doors = await openDoors(siteOfFixtureIndex(), fixtureDay);

test.each(Object.keys(doors))('refusing %s costs no more than reading it', async (name) => {
  await expectLinear(doors[name]!);
});

/** The packages of datasources whose packages have another form. */
const packages: Partial<Record<TypedSource['datasource'], (url: string) => string>> = {
  maven: () => 'com.example:agent',
  'git-tags': (url) => `${url}agent.git`,
};

test.each(datasources.map(({ datasource }) => datasource).filter((name) => name !== 'static'))(
  'refusing an answer for %s costs no more than reading it',
  async (datasource) => {
    const sourceAt = (url: string) =>
      ({
        datasource,
        packageName: packages[datasource]?.(url) ?? 'example/agent',
        registryUrl: url,
        url: `${url}list`,
        matchStrings: ['version (?<version>\\S+)'],
      }) as unknown as TypedSource;

    await expectLinear(
      (text) => askSource(sourceAt, { handler: () => hostile(text) }),
      ['colons', 'spaces', 'digits', 'line ends'],
    );
  },
);
