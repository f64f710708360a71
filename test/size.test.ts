import { expect, test } from 'vitest';
import { codeSizes } from './harness/code-size.ts';

/** Characters of code in `src` and `site`, without white space and comments. Lower it when code goes. */
const mostCharacters = 1_652_000;

test('the program grows only where somebody decides that it may', async () => {
  const sizes = await codeSizes();
  const characters = sizes.values().reduce((sum, size) => sum + size, 0);

  const remedy = `src and site have ${characters} characters of code. Remove something that nobody would miss, or raise the limit and say why.`;
  expect(characters, remedy).toBeLessThanOrEqual(mostCharacters);
});
