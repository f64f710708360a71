/** The syntax of a regular expression as far as groups matter: an escape, a class such as `[\])]`, the start of a group, or any character. */
const syntax = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?P?<\w+>|\(\?:|[^]/g;

/**
 * Joins the named groups of an expression, as Python or JavaScript write them, into one group `version` from the first to the last:
 * `^v(?P<major>\d+)\.(?P<minor>\d+)$` becomes `^v(?<version>(?:\d+)\.(?:\d+))$`, which spells a version `#.#`. Undefined without
 * named groups, where another group is around only some of them, and where one of them is within another.
 */
export function joinNamedGroups(regex: string): { joined: string; spelling: string } | undefined {
  const tokens = regex.match(syntax) ?? [];
  const start = tokens.findIndex(isNamedGroup);
  const end = start < 0 ? undefined : findEndOfGroups(tokens, start);
  if (end === undefined) {
    return undefined;
  }

  const before = tokens.slice(0, start).join('');
  const version = tokens.slice(start, end);
  const spelling = spellVersion(version);
  if (spelling === undefined) {
    return undefined;
  }

  const groups = version.map((token) => (isNamedGroup(token) ? '(?:' : token)).join('');
  const after = tokens.slice(end).join('');
  return { joined: `${before}(?<version>${groups})${after}`, spelling };
}

function isNamedGroup(token: string): boolean {
  return /^\(\?P?</.test(token);
}

/** How many groups a token opens, or closes if negative. */
function countOpened(token: string): number {
  return token.startsWith('(') ? 1 : -Number(token === ')');
}

/** The index behind the last named group, the groups around it, and their `?`. Undefined if a group around it begins before `start`. */
function findEndOfGroups(tokens: readonly string[], start: number): number | undefined {
  const last = tokens.findLastIndex(isNamedGroup);
  let depth = 0;

  for (const [index, token] of tokens.entries()) {
    depth += index < start ? 0 : countOpened(token);
    if (depth < 0) {
      return undefined;
    }
    if (depth === 0 && index > last) {
      return tokens[index + 1] === '?' ? index + 2 : index + 1;
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
      spelling += token.replaceAll(/^\\|[[\]]/g, '');
    }
  }

  return spelling;
}
