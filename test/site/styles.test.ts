import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { State } from '../../src/core/model/states.ts';
import { findTone, stateTones } from '../../src/core/model/words.ts';
import { checkout } from '../harness/checkout.ts';

const textsOf = (pattern: string) =>
  globSync(pattern, { cwd: checkout }).map(
    (path) => [path, readFileSync(join(checkout, path), 'utf8')] as const,
  );

const styles = new Map(textsOf('site/styles/*.css').map(([path, text]) => [basename(path), text]));
const pages = [
  ...[...textsOf('site/templates/*.hbs'), ...textsOf('src/site/**/*.ts')].map(([, text]) => text),
  // Pages make a class of each tone.
  ...(Object.keys(stateTones) as State[]).map((state) => `tone-${findTone(state)}`),
].join('\n');

/** The classes in the selectors of a stylesheet. */
function classesIn(css: string): string[] {
  const selectors = Array.from(css.replaceAll(/\/\*[^]*?\*\//g, '').matchAll(/[^{};]*\{/g));
  return selectors.flatMap(([selector]) =>
    Array.from(selector.matchAll(/\.([a-z][\w-]*)/gi), ([, name]) => name!),
  );
}

const classes = new Set([...styles.values()].flatMap(classesIn));

test('every class of the stylesheets is on a page', () => {
  const unused = [...classes].filter(
    (name) => !new RegExp(String.raw`(?<![\w-])${name}(?![\w-])`).test(pages),
  );

  expect(classes.size).toBeGreaterThan(80);
  expect(unused).toEqual([]);
});

test('no class of a page is one letter', () => {
  const ofPages = Array.from(pages.matchAll(/class="([^"{$]*)"/g), ([, names]) =>
    names!.split(' '),
  );

  expect([...classes, ...ofPages.flat()].filter((name) => name.length === 1)).toEqual([]);
});

test('one stylesheet has the rules for narrow screens', () => {
  const narrow = Array.from(styles).filter(([, text]) => text.includes('max-width'));

  expect(narrow.map(([name]) => name)).toEqual(['narrow.css']);
});
