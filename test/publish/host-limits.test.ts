import { expect, test } from 'vitest';
import { joinSubject } from '../../src/core/text.ts';
import { findExcess } from '../../src/publish/host-limits.ts';

const mebibytes = 2 ** 20;
const elsewhere = '"hosting" in site/site.json';
const atPages = `Publish this index at GitHub Pages or into a folder: ${elsewhere}`;
const atCloudflare = `Publish this index at Cloudflare or into a folder: ${elsewhere}`;

test.each<[host: Parameters<typeof findExcess>[0], count: number, bytes: number, said: string[]]>([
  ['cloudflare', 20_000, 25 * mebibytes, []],
  [
    'cloudflare',
    1,
    25 * mebibytes + 1,
    [`error all.json has 25.1 MiB; Cloudflare accepts 25 MiB per file. ${atPages}`],
  ],
  [
    'cloudflare',
    20_001,
    1,
    [
      'warning dist has 20,001 files; the free plan of Cloudflare accepts 20,000, and Workers Paid 100,000',
    ],
  ],
  [
    'cloudflare',
    100_001,
    1,
    [`error dist has 100,001 files; Cloudflare accepts 100,000. ${atPages}`],
  ],
  ['pages', 100_001, 9_000, []],
  [
    'pages',
    2,
    500_000_001,
    [`warning dist has 1.1 GB; GitHub Pages accepts 1 GB. ${atCloudflare}`],
  ],
  [{ folder: '/srv/releases' }, 100_001, 25 * mebibytes + 1, []],
])('the limits of the host %j are checked for %d files of %d bytes', (host, count, bytes, said) => {
  const files = Array.from({ length: count }, () => ({ path: 'all.json', bytes }));

  expect(
    findExcess(host, 'dist', files).map(
      ({ level = 'error', subject, message }) => `${level} ${joinSubject(subject, message)}`,
    ),
  ).toEqual(said);
});
