import { beforeAll, expect, test } from 'vitest';
import { ask } from '../../src/ask/answers/ask.ts';
import { explainError } from '../../src/ask/answers/explain-error.ts';
import { resolveExact } from '../../src/ask/answers/resolve.ts';
import { answerResolved } from '../../src/ask/answers/version-answer.ts';
import type { PublishedIndex } from '../../src/ask/answers/published-index.ts';
import { openFolder } from '../../src/cli/open-published.ts';
import { fixtureDay } from '../harness/checkout.ts';
import { copyOfFixtureIndex, readJsonIn, writeIn } from '../harness/root.ts';
import { siteOf } from '../harness/site.ts';
import { answerInShort, versionInShort } from './answer-in-short.ts';
import { typedTexts } from './typed-texts.ts';

const aliases: Readonly<Record<string, string[]>> = {
  svc: ['Examplocity', 'Example Enterprise', 'New Examplocity'],
  svcctl: ['examplocityctl', 'next.js'],
  'build-agent': ['Examplocity Maven extension'],
};

let index: PublishedIndex;

beforeAll(() => {
  const root = copyOfFixtureIndex();
  for (const [name, own] of Object.entries(aliases)) {
    const path = `components/${name}.json`;
    writeIn(root, path, { ...readJsonIn<object>(root, path), aliases: own });
  }
  index = openFolder(siteOf(root), () => fixtureDay).index;
});

async function forPrograms(text: string): Promise<string> {
  try {
    return versionInShort(await answerResolved(index, await resolveExact(index, text)));
  } catch (error) {
    expect(explainError(error), text).toBeDefined();
    return 'none';
  }
}

test.each(typedTexts)('%s', async (typed, people, programs) => {
  const [forPerson, forProgram] = [
    await answerInShort(index, typed, people),
    await forPrograms(typed),
  ];

  expect({ people: forPerson, programs: forProgram }).toEqual({
    people,
    programs: programs === 'same' ? people : programs,
  });
});

test('words that were not read are said', async () => {
  const answer = await ask(index, 'wann endet 2025.2');

  expect(answer).toMatchObject({ answer: { notes: ['Not read: "wann endet".'] } });
});

test('a guessed answer has a note', async () => {
  const guessed = await ask(index, 'edge 2.0.1');

  expect(guessed).toMatchObject({ kind: 'version', answer: { notes: ['Read as Edge node.'] } });
});

test('a choice for one side of a pair keeps the other side', async () => {
  const answer = await ask(index, '2.0 with svc 2025.1');

  expect(answer).toMatchObject({
    choices: [
      { question: 'svc 2025.1 with edge-node 2.0' },
      { question: 'svc 2025.1 with reporting-kit 2.0' },
    ],
  });
});

test('a choice for one side of a pair names the version of the component, not of its package', async () => {
  const answer = await ask(index, 'pkg:helm/server 2025.1.0 with 2.0');

  expect(answer).toMatchObject({
    choices: [
      { question: 'svc 2025.1 with edge-node 2.0' },
      { question: 'svc 2025.1 with reporting-kit 2.0' },
    ],
  });
});

test.each(['edge 2.0.1', 'edge-node', 'svc 2025.1 with edge-node 2.0'])(
  'a component without its document is a problem of the index, not of the question: %s',
  async (text) => {
    const cut = { ...index, details: async () => undefined };
    const message =
      /^The index cannot be read now: details\/[\w-]+\.json is missing in the index\.$/;

    expect(await ask(cut, text)).toMatchObject({ message: expect.stringMatching(message) });
    await expect(resolveExact(cut, 'Server 2025.1')).rejects.toThrow('details/svc.json is missing');
  },
);

test('a name with one wrong letter in five is suggested to programs and read for people', async () => {
  const answer = await ask(index, 'bild-cach-node 21.2');

  expect(answer).toMatchObject({ answer: { notes: ['Read as Build cache node.'] } });
  await expect(resolveExact(index, 'bild-cach-node 21.2')).rejects.toMatchObject({
    parts: { didYouMean: ['build-cache-node'] },
  });
});

test('a name with "next" asks for no release to come', async () => {
  const answer = await ask(index, 'next.js version 1.20');

  expect(answer).toMatchObject({ answer: { component: 'svcctl', version: '1.20' } });
  expect(answer).not.toHaveProperty('answer.notes');
});

test('a choice keeps the version to move to, and names its component by its id, which is the only one of this name', async () => {
  const answer = await ask(index, 'agent 2.0 to 2.1');

  expect(answer).toMatchObject({ choices: [{ question: 'build-agent 2.0 to 2.1' }] });
});

test.each(['svc 2025.1 with 99.9', '99.9 with svc 2025.1', 'edge node with svc with 99.9'])(
  'a pair with a version that no component has has no answer: %s',
  async (text) => {
    const message = 'No component of this index has a version 99.9.';

    expect(await ask(index, text)).toMatchObject({ kind: 'problem', message });
  },
);

test('a pair says which of its versions were not read', async () => {
  const page = await ask(index, 'svc 2025.1 with redis 7.2');
  const version = await ask(index, 'svc 2025.1 with edge-node 2.0 and redis 7.2');

  expect(page).toMatchObject({ text: 'What works with Server 2025.1. Not read: "redis 7.2".' });
  expect(version).toMatchObject({ answer: { notes: ['Not read: "redis 7.2".'] } });
});

test('a range beside versions is not read as one of them, and not left out', async () => {
  const version = await ask(index, 'svc 2025.x, svcctl 1.20');
  const list = await ask(index, 'svc 2025.1, edge-node 2.0, svcctl ^1.20');
  const pair = await ask(index, 'svc ^2025.1 with edge-node 2.0');

  expect(version).toMatchObject({
    answer: { component: 'svcctl', notes: ['Not read: "svc 2025.x".'] },
  });
  expect(list).toMatchObject({
    page: 'mine.html#c=svc@2025.1,edge-node@2.0,svcctl%20%5E1.20',
  });
  expect(pair).toMatchObject({
    text: 'What works with Edge node 2.0. Not read: "svc ^2025.1".',
  });
});

test.each([
  ['svc 2025.1 with redis 7.0, 7.2', 'Plan for Server 2025.1. Not read: "redis 7.0, 7.2".'],
  ['svc 2025.1 (prod), 2025.3 (staging)', 'Plan for Server 2025.1, Server 2025.3'],
])(
  'a further version behind other words is one of the component only if it has it: %s',
  async (text, expected) => {
    expect(await ask(index, text)).toMatchObject({ kind: 'page', text: expected });
  },
);

test('each advisory that a text names has its own note', async () => {
  const answer = await ask(index, 'is svc 2025.1 affected by CVE-2024-3094 or CVE-2014-0160');

  expect(answer).toMatchObject({
    answer: {
      notes: [
        'Whether CVE-2024-3094 affects it is not known.',
        'Whether CVE-2014-0160 affects it is not known.',
      ],
    },
  });
});
