import { expect, test } from 'vitest';
import { joinNamedGroups } from '../../../src/record/add/join-named-groups.ts';

test.each([
  [
    String.raw`^v(?P<major>\d+)\.(?P<minor>\d+)$`,
    String.raw`^v(?<version>(?:\d+)\.(?:\d+))$`,
    '#.#',
  ],
  [
    String.raw`^(?<major>\d+)[\])](?<minor>\d+)$`,
    String.raw`^(?<version>(?:\d+)[\])](?:\d+))$`,
    '#[])]#',
  ],
  [String.raw`^(?<major>\d+)\+x$`, String.raw`^(?<version>(?:\d+))\+x$`, '#'],
  // The tag v12 is not read as 12 where endoflife.date reads 1.2.
  [
    String.raw`^v(?P<major>\d)\.?(?P<minor>\d+)$`,
    String.raw`^v(?<version>(?:\d)(?:\.(?:\d+)))$`,
    '#.#',
  ],
  [
    String.raw`^(v)-?(?P<major>\d+)_?(?P<minor>\d*)\.?(?P<patch>\d+)?\.?(?P<tiny>\d+)?$`,
    String.raw`^(v)-?(?<version>(?:\d+)(?:_(?:\d*))(?:\.(?:\d+))?(?:\.(?:\d+))?)$`,
    '#_#.#.#',
  ],
  [
    String.raw`^(?P<major>\d+).(?P<minor>\d+)(\.(?P<patch>\d+)(\.(?P<tiny>.))?)?$`,
    String.raw`^(?<version>(?:\d+)\.(?:\d+)(\.(?:\d+)(\.(?:.))?)?)$`,
    '#.#.#.#',
  ],
  [
    String.raw`^(?P<major>\d+)[.](?P<minor>\d+)??$`,
    String.raw`^(?<version>(?:\d+)[.](?:\d+)??)$`,
    '#.#',
  ],
])('joins the groups of %s', (regex, joined, spelling) => {
  expect(joinNamedGroups(regex)).toEqual({ joined, spelling });
});

test.each([
  [String.raw`^v(?P<major>\d+)$|^(?P<minor>\d+)$`, '#$|^#'],
  [String.raw`^v(?P<major>\d+)(?:\.)?(?P<minor>\d+)$`, '#.)?#'],
  [String.raw`^v(?P<major>\d+)[._]?(?P<minor>\d+)$`, '#[._]?#'],
  [String.raw`^v(?P<major>\d+)(?:-|_)(?P<minor>\d+)$`, '#-|_)#'],
  [String.raw`^v(?P<major>\d+)\d(?P<minor>\d+)$`, String.raw`#\d#`],
])('the spelling of %s holds what is no text', (regex, spelling) => {
  expect(joinNamedGroups(regex)?.spelling).toBe(spelling);
});

test.each([
  String.raw`^v(\d+)$`,
  String.raw`^(?:v(?<major>\d+))\.(?<minor>\d+)$`,
  String.raw`^(?<major>(?<minor>\d+))$`,
  String.raw`^v(?<major>\d+)(?:\.(?<minor>\d+))*$`,
])('joins nothing in %s', (regex) => {
  expect(joinNamedGroups(regex)).toBeUndefined();
});
