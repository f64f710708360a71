import { expect, test } from 'vitest';
import type { DetailsOn, PublishedReleaseOn } from '../../../src/ask/answers/component-on.ts';
import { compareItem } from '../../../src/ask/scan/compare-item.ts';
import type { Item } from '../../../src/ask/texts/text-entries.ts';
import { parsePurl } from '../../../src/core/model/purl.ts';

const sha256 = (digit: string) => `sha256:${digit.repeat(64)}`;
const sha512 = (digit: string) => `sha512:${digit.repeat(128)}`;
const details = { component: 'agent' } as DetailsOn;

/** A release as an npm package, as an image, as an asset, and in a document that states no kind. */
const release = {
  version: '1.0',
  digests: {
    'npm:agent': { 'agent-1.0.tgz': sha512('a') },
    'docker:agent': { '1.0': sha256('b') },
    'github-releases:example/agent': { 'agent-1.0.zip': sha256('d') },
    'json:https://example.com/releases': { 'agent-1.0.tgz': sha256('e') },
  },
} as unknown as PublishedReleaseOn;

test.each<[what: string, item: Partial<Item>, message: string | undefined]>([
  [
    'a package, with an algorithm of the image',
    { purl: parsePurl('pkg:npm/agent@1.0'), digests: [sha256('c')] },
    'No sha256 digest of 1.0 is recorded, only sha512.',
  ],
  [
    'a package, with several algorithms',
    { purl: parsePurl('pkg:npm/agent@1.0'), digests: [sha256('c'), sha512('a')] },
    undefined,
  ],
  [
    'another package',
    { purl: parsePurl('pkg:npm/agent@1.0'), digests: [sha512('c')] },
    `${sha512('c')} is not a digest that is recorded for 1.0.`,
  ],
  [
    'a package of a type without a digest',
    { purl: parsePurl('pkg:generic/agent@1.0'), digests: [sha256('c')] },
    `${sha256('c')} is not a digest that is recorded for 1.0.`,
  ],
  [
    'a package, in a document that states no kind',
    { purl: parsePurl('pkg:npm/agent@1.0'), digests: [sha256('e')] },
    undefined,
  ],
  [
    'a package that is an asset, too',
    { purl: parsePurl('pkg:npm/agent@1.0'), digests: [sha256('d')] },
    undefined,
  ],
  [
    'a package under the address of its repository',
    { purl: parsePurl('pkg:github/example/agent@1.0'), digests: [sha512('a')] },
    undefined,
  ],
  ['an image', { isImage: true, digests: [sha256('b')] }, undefined],
  [
    'another image',
    { isImage: true, digests: [sha256('c')] },
    `${sha256('c')} is not a digest that is recorded for 1.0.`,
  ],
  [
    'an image with an algorithm of packages',
    { isImage: true, digests: [sha512('c')] },
    'No sha512 digest of 1.0 is recorded, only sha256.',
  ],
])('the bytes of %s are compared with those of its kind', (_, item, message) => {
  expect(compareItem({ text: 'agent', ...item } as Item, details, release)?.message).toBe(message);
});
