import { expect, test } from 'vitest';
import { answers, hiddenCharacters, listHidden, replaceEach } from '../harness/hostile-answers.ts';

const rows = Object.keys(answers).flatMap((name) =>
  hiddenCharacters.map((character) => [name, character.codePointAt(0)!.toString(16)] as const),
);

test.each(rows)('leaves a hidden character out of each text of %s: U+%s', async (name, code) => {
  const character = String.fromCodePoint(Number.parseInt(code, 16));
  for (const hostile of [`1.0${character}x`, `https://evil.example/${character}`, character]) {
    for (const changed of replaceEach(answers[name]!, hostile)) {
      expect(await listHidden(changed)).toEqual([]);
    }
  }
});
