import Range from 'semver/classes/range.js';
import coerce from 'semver/functions/coerce.js';
import { compareVersions, parseVersion, shortForm, type Version } from './version.ts';

/**
 * A range of versions as semver reads it. Read strictly, as Renovate does; undefined for what is no range. Read loosely, a part with a typo is dropped, and
 * `>=1.0.0 <2.O.0` holds for every version from 1.0.0 on. A version is coerced first: `2025.3` counts as 2025.3.0.
 */
export function parseVersionRange(text: string): ((version: string) => boolean) | undefined {
  let range: Range;
  try {
    range = new Range(text);
  } catch {
    return undefined;
  }
  return (version) => {
    const coerced = coerce(version, { loose: true });
    return coerced !== null && range.test(coerced);
  };
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '': (order) => order === 0,
  '=': (order) => order === 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/**
 * A range in the order of versions, for versions of every shape: comparisons that all hold, `||` between alternatives, `*` for
 * all. `X.Y` and `X.Y.0` stand for each other at every bound. Undefined for anything else.
 */
export function parseOrderedRange(text: string): ((version: Version) => boolean) | undefined {
  const alternatives = text.split('||').map((part) => {
    const words = part
      .trim()
      .replaceAll(/([<>=])\s+/g, '$1')
      .split(/\s+/);
    return words.map((word) => {
      if (word === '*') return () => true;
      const [, sign = '', name = ''] = /^([<>]?=?)(.*)$/.exec(word) ?? [];
      const bound = parseVersion(name);
      return (
        bound &&
        ((version: Version) => comparisons[sign]!(compareVersions(shortForm(version), shortForm(bound))))
      );
    });
  });
  if (alternatives.flat().includes(undefined)) return undefined;
  return (version) => alternatives.some((all) => all.every((holds) => holds!(version)));
}
