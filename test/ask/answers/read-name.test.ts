import { expect, test } from 'vitest';
import { ask, askNamed } from '../../../src/ask/answers/ask.ts';
import { readComponentName } from '../../../src/ask/answers/read-name.ts';
import { readQuestion } from '../../../src/ask/answers/read-question.ts';
import { openFolder } from '../../../src/cli/open-published.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { typedTexts } from '../typed-texts.ts';

const { index } = openFolder(siteOfFixtureIndex(), () => fixtureDay);

test('a name with a version is read as by the reader of all texts, and nothing else is', async () => {
  const indexNames = await index.names();
  const { components } = indexNames;
  const names = components.flatMap(({ name, title, aliases = [] }) => [name, title, ...aliases]);
  const endings = [
    '',
    ' 2025.1',
    ' v1.2.3',
    ' 1.*',
    ' latest',
    ' latest?',
    ' 2025..2026',
    ' 2025.1 to 2026.1',
    '@1.0',
    ', 2.0',
  ];
  let read = 0;

  for (const text of [
    ...names.flatMap((name) => endings.map((end) => name + end)),
    ...typedTexts.map(([text]) => text),
  ]) {
    const candidates = readComponentName(text, components);
    if (candidates.length > 0) {
      read += 1;
      expect(readQuestion(text, indexNames, '2026-11-23'), text).toEqual({
        kind: 'components',
        candidates,
      });
    }
  }

  expect(read).toBeGreaterThan(names.length * 5);
});

test('the short way gives the answer of the long one, or none', async () => {
  for (const text of [
    'svc 2025.1',
    'Server',
    'svc 9999.1',
    'edge-node latest',
    'svcc 2025.1',
    'ended',
    '',
    `svc${' '.repeat(500)}2025.1`,
  ]) {
    const named = await askNamed(index, text);
    expect(named ?? 'none', text).toEqual(named ? await ask(index, text) : 'none');
  }

  expect(await askNamed(index, 'svcc 2025.1')).toBeUndefined();
  expect(await askNamed(index, 'SVC 2025.1')).toMatchObject({ kind: 'version' });
});
