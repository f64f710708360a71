import { expect, test } from 'vitest';
import { openIndex } from '../../../src/ask/answers/published-index.ts';
import { guessItem, listEndings, suggestVersions } from '../../../src/ask/texts/guess-items.ts';
import { openDocumentsIn } from '../../../src/deliver/publish/index-documents.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';

const index = openIndex(openDocumentsIn(siteOfFixtureIndex()), { today: () => fixtureDay });

test.each([
  ['- log4j2-agent: 1.21', ['log4j2-agent@1.21']],
  ['LOG4J2_AGENT_VERSION=v2025.1', ['log4j2-agent@2025.1']],
  ['log4j2-agent 2', ['log4j2-agent@2']],
  ['only words', undefined],
])('a program gets a hint at the name and the version of "%s": %s', async (line, didYouMean) => {
  const component = { name: 'log4j2-agent', title: 'Log4j2 agent' };
  const names = () => Promise.resolve({ components: [component], packages: new Map() });

  expect(await suggestVersions({ ...index, names }, line)).toEqual(
    didYouMean === undefined ? {} : { didYouMean },
  );
});

test.each(['acme-release-agnet@1.20', 'the release agent 1.20'])(
  'a name with the word "release" is mistyped or spoken like any other: %s',
  async (line) => {
    const component = { name: 'acme-release-agent', title: 'Acme release agent' };
    const names = () => Promise.resolve({ components: [component], packages: new Map() });

    expect(await suggestVersions({ ...index, names }, line)).toEqual({
      didYouMean: ['acme-release-agent@1.20'],
    });
  },
);

test('a person may speak the name of a component and one of its versions', async () => {
  const text = 'our server control: v1.20';

  expect(await guessItem(index, text)).toEqual({ item: { text, name: 'svcctl', version: '1.20' } });
});

test.each(['>=1.20', '^1.20', '1.20 or later', '[1.20,1.21)'])(
  'the range %s behind a spoken name is a question, never a version',
  async (range) => {
    expect(await guessItem(index, `our server control ${range}`)).toEqual({
      didYouMean: ['svcctl@1.20'],
    });
  },
);

test('the endings of a name leave out what joins it to a version', () => {
  expect(listEndings('and now the Maven agent is')).toEqual(
    expect.arrayContaining(['the Maven agent', 'Maven agent', 'agent']),
  );
  expect(listEndings('one two three four five six')).toHaveLength(5);
});
