/** The syntax of a regular expression as far as groups matter: an escape, a class such as `[\])]`, the start of a group, or any character. */
const syntax = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?P?<\w+>|\(\?:|[^]/g;

/**
 * Joins the named groups of an expression, as Python or JavaScript write them, into one group `version` from the first to the last:
 * `^v(?P<major>\d+)\.(?P<minor>\d+)$` becomes `^v(?<version>(?:\d+)\.(?:\d+))$`, which spells a version `#.#`. Undefined without
 * named groups, where another group is around only some of them, where one of them is within another, and where the last may repeat.
 */
export function joinNamedGroups(regex: string): { joined: string; spelling: string } | undefined {
  const tokens = regex.match(syntax) ?? [];
  const start = tokens.findIndex(isNamedGroup);
  if (start === -1) {
    return undefined;
  }

  const fromStart = tokens.slice(start);
  const length = findEndOfGroups(fromStart);
  if (length === undefined) {
    return undefined;
  }

  const groupTokens = fromStart.slice(0, length);
  const spelling = spellVersion(groupTokens);
  if (spelling === undefined) {
    return undefined;
  }

  const unnamed = groupTokens.map((token) => (isNamedGroup(token) ? '(?:' : token));
  const before = tokens.slice(0, start);
  const after = fromStart.slice(length);
  return { joined: [...before, '(?<version>', ...unnamed, ')', ...after].join(''), spelling };
}

function isNamedGroup(token: string): boolean {
  return /^\(\?P?</.test(token);
}

/** By how much a token changes the number of open groups. */
function countOpened(token: string): number {
  if (token === ')') {
    return -1;
  }

  return token.startsWith('(') ? 1 : 0;
}

/**
 * The number of tokens up to the end of the last named group and of the groups around it, with a `?` behind. `tokens`: from the
 * first named group on. Undefined if a group that holds the first named group ends earlier, or if the last may repeat.
 */
function findEndOfGroups(tokens: readonly string[]): number | undefined {
  const last = tokens.findLastIndex(isNamedGroup);
  let depth = 0;

  for (const [index, token] of tokens.entries()) {
    depth += countOpened(token);
    if (depth < 0) {
      return undefined;
    }
    if (depth === 0 && index > last) {
      const next = tokens[index + 1] ?? '';
      return /^[*+{]$/.test(next) ? undefined : index + (next === '?' ? 2 : 1);
    }
  }

  return undefined;
}

/**
 * The text between the named groups, with # for each group: `#.#` for `(?P<major>\d+)(?:\.(?P<minor>\d+))?`. Undefined where a named
 * group is within another.
 */
function spellVersion(tokens: readonly string[]): string | undefined {
  let spelling = '';
  /** How many groups are open since a named group began. */
  let depth = 0;

  for (const token of tokens) {
    if (depth > 0 && isNamedGroup(token)) {
      return undefined;
    }
    if (depth > 0) {
      depth += countOpened(token);
    } else if (isNamedGroup(token)) {
      spelling += '#';
      depth = 1;
    } else if (countOpened(token) === 0 && token !== '?') {
      // Without the backslash of an escape and the brackets of a class.
      spelling += token.replaceAll(/^\\|[[\]]/g, '');
    }
  }

  return spelling;
}
