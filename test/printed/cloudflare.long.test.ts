import { test } from 'vitest';
import { atCloudflare, cloud } from './others.ts';
import { play } from './stage.ts';

test('commands in the documents print the documented output: an index at Cloudflare', () =>
  play(cloud, atCloudflare));
