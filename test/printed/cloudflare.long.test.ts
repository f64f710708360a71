import { test } from 'vitest';
import { atCloudflare, cloud } from './others.ts';
import { play } from './stage.ts';

test('what is printed about an index at Cloudflare does what it says', () =>
  play(cloud, atCloudflare));
