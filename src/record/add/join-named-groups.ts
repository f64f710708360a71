/**
 * The syntax of a regular expression as far as groups matter: an escape, a class such as `[\])]`, the start of a group, `?` or its lazy
 * form `??`, or any character.
 */
const syntax = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?P?<\w+>|\(\?:|\?\??|[^]/g;

/** An optional sign between two named groups, and the second of them. */
const optionalSign = /(?<=<\w+>.*\)\??)(\\\W|[\w-])\?(\(\?P?<\w+>[^()]*\))/g;

/**
 * Joins the named groups of an expression, as Python or JavaScript write them, into one group `version` from the first to the last:
 * `^v(?P<major>\d+)\.(?P<minor>\d+)$` becomes `^v(?<version>(?:\d+)\.(?:\d+))$`, which spells a version `#.#`. The caller must
 * compare the spelling with the one that it expects: the spelling also holds what is no text, such as `|`. Between groups, `.` is a
 * dot, and an optional sign is required where the group behind it matches: a tag is rather missed than read as another version.
 * Undefined without named groups, where another group is around only some of them, where one of them is within another, and where
 * the last may repeat.
 */
export function joinNamedGroups(regex: string): { joined: string; spelling: string } | undefined {
  const tokens = regex.replaceAll(optionalSign, '(?:$1$2)').match(syntax) ?? [];
  const start = tokens.findIndex(isNamedGroup);
  if (start === -1) {
    return undefined;
  }

  const fromStart = tokens.slice(start);
  const length = findEndOfGroups(fromStart);
  if (length === undefined) {
    return undefined;
  }

  const before = tokens.slice(0, start).join('');
  const version = removeNames(fromStart.slice(0, length));
  const after = fromStart.slice(length).join('');
  return version && { ...version, joined: `${before}(?<version>${version.joined})${after}` };
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
      return /^[*+{]$/.test(next) ? undefined : index + (next.startsWith('?') ? 2 : 1);
    }
  }

  return undefined;
}

/**
 * The tokens with groups that have no name, and their spelling, with # for each named group: `#.#` for
 * `(?P<major>\d+)(?:\.(?P<minor>\d+))?`. Undefined where a named group is within another.
 */
function removeNames(tokens: readonly string[]): { joined: string; spelling: string } | undefined {
  let joined = '';
  let outline = '';
  /** How many groups are open since a named group began. */
  let depth = 0;

  for (const token of tokens) {
    if (depth > 0 && isNamedGroup(token)) {
      return undefined;
    }
    if (depth > 0) {
      joined += token;
      depth += countOpened(token);
    } else if (isNamedGroup(token)) {
      joined += '(?:';
      outline += '#';
      depth = 1;
    } else {
      const text = token === '.' ? '\\.' : token;
      joined += text;
      outline += text;
    }
  }

  const spelling = outline
    // A group that ends with a named one may be optional.
    .replaceAll(/(?<=#)[)?]+|\((?:\?:)?/g, '')
    // An escaped sign, and a class of one sign.
    .replaceAll(/\\(\W)|\[([^\w\\])\]/g, '$1$2');
  return { joined, spelling };
}
