import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stateLabels } from '../../src/core/model/words.ts';
import { checkout, fixtureDay } from '../harness/checkout.ts';
import { filesIn } from '../harness/root.ts';
import { siteOf } from '../harness/site.ts';

/** Further names that pages and answers have had for a state. */
const otherNames =
  /no support (?:policy|period) is|no promise|nobody states how long|without an end of support|without a promise|support ended\b(?!\s+(?:by\s+)?\d)|stated support|use this one/i;

test('each state has a name of its own', () => {
  const names = Object.values(stateLabels);
  expect(new Set(names).size).toBe(names.length);
});

describe('one name for a state', () => {
  test.each([
    ['the example', checkout, '2026-11-22'],
    ['the index of the fixtures', undefined, fixtureDay],
  ])('on every page of %s', (_, root, day) => {
    const out =
      root === undefined ? siteOf(join(checkout, 'test/fixtures/index')) : siteOf(root, day);
    const pages = Object.keys(filesIn(out)).filter((path) => path.endsWith('.html'));
    const wrong = pages.flatMap((path) => {
      const words = readFileSync(join(out, path), 'utf8').replaceAll(/<[^>]+>/g, ' ');
      const [found] = otherNames.exec(words) ?? [];
      return found === undefined ? [] : [`${path}: ${found}`];
    });

    expect(pages.length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });
});
