import { expect, test } from 'vitest';
import {
  answers,
  gatherAnswer,
  hiddenCharacters,
  listHidden,
  replaceEach,
} from '../harness/hostile-answers.ts';

test.each(Object.keys(answers))('reads a sound answer of %s', async (name) => {
  const { notes, bugs, failed } = await gatherAnswer(answers[name]!);

  expect({ notes, bugs, failed }).toEqual({ notes: [], bugs: [], failed: [] });
});

const hidden = hiddenCharacters.join('');

test.each(
  Object.keys(answers).flatMap((name) => [
    [name, 'a line', `1.0${hidden}x`] as const,
    [name, 'a URL', `https://evil.example/${hidden}`] as const,
    [name, 'a text of nothing else', hidden] as const,
  ]),
)('leaves hidden characters out of each text of %s: %s', async (name, _, hostile) => {
  for (const changed of replaceEach(answers[name]!, hostile)) {
    expect(await listHidden(changed)).toEqual([]);
  }
});
