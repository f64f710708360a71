import { test } from 'vitest';
import { atCloudflare, cloud } from './others.ts';
import { play } from './stage.ts';

test('every command that documents print for an index at Cloudflare has the documented output', () =>
  play(cloud, atCloudflare));
