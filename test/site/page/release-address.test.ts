import { expect, it } from 'vitest';
import { askedIn, type AskedVersion } from '../../../src/site/page/release-address.ts';

it.each<[string, AskedVersion]>([
  ['#v2025.1', { version: '2025.1' }],
  ['#v2025.1...2026.3', { version: '2025.1', target: '2026.3' }],
  ['#vv1.2...v1.3', { version: 'v1.2', target: 'v1.3' }],
  ['#v1.0~20~beta...1.1~3a~2', { version: '1.0 beta', target: '1.1:2' }],
])('%s asks about a version, and perhaps what to move to', (hash, asked) => {
  expect(askedIn(hash)).toEqual(asked);
});

it.each(['', '#', '#v', '#lines', '#line-2025.1', '#verify', '#2025.1'])(
  '%s asks nothing',
  (hash) => {
    expect(askedIn(hash)).toBeUndefined();
  },
);
