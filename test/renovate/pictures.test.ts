import { expect, test } from 'vitest';
import { readJsonIn } from '../harness/root.ts';
import { imageFolder, readExample, type PictureWords } from './pictures.ts';

test('the pictures of the README have the words of the example and of Renovate: else run npm run pictures', async () => {
  const drawn = readJsonIn<PictureWords>(imageFolder, 'words.json');

  const { words } = await readExample(drawn.day);

  expect(words).toEqual(drawn);
});
