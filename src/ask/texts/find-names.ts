import { lowerAscii } from '../../core/text/foreign-text.ts';
import type { IndexNames } from '../answers/match-names.ts';
import {
  findNextCursor,
  matchAt,
  openNameTree,
  type Cursor,
  type IndexName,
  type NameTree,
} from './name-tree.ts';

/** A name in a text. `end` is behind the key or the element that the name may be part of, as in `svcVersion` and `<svc.version>`. */
interface FoundName {
  readonly start: number;
  readonly end: number;
  readonly name: IndexName;
}

/** Finds the names of an index in a text, the longest at each offset. */
export function findNames(names: IndexNames, text: string): FoundName[] {
  const tree = openNameTree(names);
  // A few letters get longer in lower case, which would shift the offsets.
  const lower = text.toLowerCase();
  const plain = lower.length === text.length ? lower : lowerAscii(text);
  const found: FoundName[] = [];
  let searchedUntil = 0;

  for (const { index } of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (index < searchedUntil) {
      continue;
    }

    const starts = plain[index - 1] === '@' ? [index - 1, index] : [index];
    for (const start of starts) {
      const longest = findLongestFrom(tree, text, plain, start);
      if (longest) {
        found.push(longest);
        searchedUntil = longest.end;
        break;
      }
    }
  }

  return found;
}

/** The longest name that begins at an offset. `plain`: the text in lower case. */
function findLongestFrom(
  { root }: NameTree,
  text: string,
  plain: string,
  start: number,
): FoundName | undefined {
  let cursor: Cursor | undefined = { node: root, offset: start };
  let longest: FoundName | undefined;

  while (cursor) {
    const { node, offset }: Cursor = cursor;
    if (node.name) {
      const end = findEndOfName(text, offset);
      if (end !== undefined) {
        const isElement = text[start - 1] === '<' && text[end] === '>';
        longest = { start, end: isElement ? end + 1 : end, name: node.name };
      }
    }

    cursor = findNextCursor(node, plain, offset);
  }

  // The text before matters only to the few words that begin a name, so it is read last.
  return longest && isBeginning(text, start) ? longest : undefined;
}

/** Whether an expression matches the text before an offset. `length`: the characters that it may have to read. */
function matchesBefore(form: RegExp, text: string, offset: number, length: number): boolean {
  return form.test(text.slice(Math.max(0, offset - length), offset));
}

/** The source of an expression that matches what one of these does. */
function joinAlternatives(...forms: readonly RegExp[]): string {
  return `(?:${forms.map(({ source }) => source).join('|')})`;
}

/** `svc.image.tag`, but not `svc.image`. */
const lowerCaseKey = /[-_.](?:image[-_.]?)?(?:version|tag|release)/;
/** `svcVersion`, but not `svcversion`. */
const camelCaseKey = /(?:Image)?(?:Version|Tag|Release)/;
/** `SVC_VERSION`, but not `SVC.VERSION`. */
const upperCaseKey = /[-_](?:IMAGE[-_])?(?:VERSION|TAG|RELEASE)/;
/** The ending of a key or a variable that holds the version of a name: `-version`, `Tag`, `_RELEASE`. */
const keyEnd = new RegExp(
  String.raw`${joinAlternatives(lowerCaseKey, camelCaseKey, upperCaseKey)}(?![\p{L}\p{N}_])`,
  'uy',
);

/** `svcs`, but not `svc2025.1`. */
const longerWord = /(?!\d{1,4}\.\d)[\p{L}\p{N}]/u;
/** `svc.io`, but not `svc.` at the end of a sentence. */
const longerDotted = /\.[\p{L}\p{N}]/u;
/** `svc-extra`, but not `svc-v1.0`. */
const longerDashed = /[-_](?!v?\d)[\p{L}\p{N}]/u;
/** `svc/docs`, but not `svc/1.0`. */
const longerPath = /\/(?!v?\d)[\p{L}\p{N}]/u;
/** Makes a name part of a longer one. */
const longerBehind = new RegExp(
  joinAlternatives(longerWord, longerDotted, longerDashed, longerPath),
  'uy',
);

/** The end of a name with the key that it is part of; undefined if it is part of a longer name. */
function findEndOfName(text: string, end: number): number | undefined {
  const key = matchAt(keyEnd, text, end);
  if (key !== undefined) {
    return end + key.length;
  }

  return matchAt(longerBehind, text, end) === undefined ? end : undefined;
}

/** The start of a path, which may be an address. */
const pathStart = /(?:^|[\s"'`=(:,|>[])(?:oci:\/\/|docker:\/\/)?/;
/** `registry.example:5000/`, `localhost/` and `docker.io/library/`, but not `example/`. */
const imageHost = /(?:[\w-]+(?:\.[\w-]+)+(?::\d+)?|localhost|[\w-]+:\d+)\/(?:library\/)?/;
/** `web/node_modules/`, but not `web/modules/`. */
const nodeModules = /(?:[\w@.-]+\/)*node_modules\//;
/** `chart: example/`, but not `image: example/`. */
const chartKey = /\bchart["']?\s*[:=]\s*["']?[\w.-]+\//;
const registry = new RegExp(
  `(?:${pathStart.source}${joinAlternatives(imageHost, nodeModules)}|${chartKey.source})$`,
);

/** A character before a name that makes it part of a longer name or a path. */
const longerBefore = /[\p{L}\p{N}][-_.+]$|[@$%.\\]$|\$\{$/u;

/** Before the name of a variable, which stands for a version. */
const referenceKey = /\bversion\.ref["']?\s?[:=]\s?["']$/;

function isBeginning(text: string, start: number): boolean {
  if (text[start - 1] === '/') {
    // A path may only say where a package is from.
    return text[start] === '@' || matchesBefore(registry, text, start, 100);
  }

  return (
    !matchesBefore(longerBefore, text, start, 2) && !matchesBefore(referenceKey, text, start, 30)
  );
}
