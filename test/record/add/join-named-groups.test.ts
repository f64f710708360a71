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
    String.raw`#\)#`,
  ],
  [String.raw`^(?<major>\d+)\+x$`, String.raw`^(?<version>(?:\d+))\+x$`, '#'],
])('joins the groups of %s', (regex, joined, spelling) => {
  expect(joinNamedGroups(regex)).toEqual({ joined, spelling });
});

test.each([
  String.raw`^v(\d+)$`,
  String.raw`^(?:v(?<major>\d+))\.(?<minor>\d+)$`,
  String.raw`^(?<major>(?<minor>\d+))$`,
  String.raw`^v(?<major>\d+)(?:\.(?<minor>\d+))*$`,
])('joins nothing in %s', (regex) => {
  expect(joinNamedGroups(regex)).toBeUndefined();
});
