import { test } from 'vitest';
import { atCloudflare, cloud } from './others.ts';
import { play } from './stage.ts';

test('the printed commands for an index at Cloudflare do what they say', () =>
  play(cloud, atCloudflare));
