import { beforeAll, expect, test } from 'vitest';
import { play, scenes } from './scenes.ts';
import { setStage, stage } from './stage.ts';

beforeAll(setStage);

test('what is printed about an index at Cloudflare does what it says', async () => {
  const {
    'this checkout': checkout,
    'an index of one’s own': own,
    'the site of others': site,
  } = scenes;
  await play([...checkout, ...own, ...site]);
  await play(scenes['an index at Cloudflare']);
  expect(stage.cloudflare.live).toBeDefined();
});
