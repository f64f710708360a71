import { test } from 'vitest';
import { atCloudflare, cloud } from './others.ts';
import { play } from './stage.ts';

test('every printed command for an index at Cloudflare runs, and prints what the documents promise', () =>
  play(cloud, atCloudflare));
