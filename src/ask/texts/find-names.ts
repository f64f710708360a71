import { lowerAscii } from '../../core/text/foreign-text.ts';
import type { IndexName, Node } from './name-tree.ts';
import { filler } from './simplify-text.ts';

/** A name in a text, from `start` up to `end`. */
interface Mention {
  readonly start: number;
  readonly end: number;
  readonly name: IndexName;
}

const letter = /[\p{L}\p{N}]/u;
/** Behind the name of a variable or a key, such as `SVC_VERSION`, `svc.image.tag` and `svcVersion`. */
const keyEnd =
  /(?:[-_.](?:image[-_.]?)?(?:version|tag|release)|(?:Image)?(?:Version|Tag|Release)|[-_](?:IMAGE[-_])?(?:VERSION|TAG|RELEASE))(?![\p{L}\p{N}_])/uy;
/** Makes a name part of a longer one; a version may follow at once, as in `svc2025.1`. */
const longerBehind =
  /(?!\d{1,4}\.\d)[\p{L}\p{N}]|\.[\p{L}\p{N}]|[-_](?!v?\d)[\p{L}\p{N}]|\/(?!v?\d|\w+(?:,\w+)* \d)[\p{L}\p{N}]/uy;

/**
 * Steps in the tree for each character of a text. A text of names takes one or two; one that repeats the beginning of a long name
 * takes up to a hundred.
 */
const mostSteps = 4;
/** For a short text with one long name. */
const leastSteps = 10_000;

/**
 * Finds the names of an index in a text, the longest at each offset. Takes time that is linear in the text: undefined for a text
 * with too many names and beginnings of names.
 */
export function findNames(root: Node, text: string): Mention[] | undefined {
  const lower = text.toLowerCase();
  const plain = lower.length === text.length ? lower : lowerAscii(text);
  const mentions: Mention[] = [];
  let stepsLeft = Math.max(leastSteps, mostSteps * text.length);
  let searchedUntil = 0;

  for (const { index } of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (index < searchedUntil) {
      continue;
    }

    const starts = plain[index - 1] === '@' ? [index - 1, index] : [index];
    for (const start of starts) {
      const { mention, steps } = findLongestFrom(root, text, plain, start);
      stepsLeft -= steps;
      if (mention) {
        mentions.push(mention);
        searchedUntil = mention.end;
        break;
      }
    }

    if (stepsLeft < 0) {
      return undefined;
    }
  }

  return mentions;
}

/** A node, and the offset behind the text that leads to it. */
interface Position {
  readonly node: Node;
  readonly offset: number;
}

/** The longest name that begins at an offset, and the steps that its search took. `plain`: the text in small letters. */
function findLongestFrom(root: Node, text: string, plain: string, start: number) {
  let position: Position | undefined = { node: root, offset: start };
  let mention: Mention | undefined;
  let steps = 0;

  while (position) {
    const { node, offset }: Position = position;
    const end = node.name && findEndOfName(text, offset);
    if (node.name && end !== undefined) {
      mention = { start, end, name: node.name };
    }

    position = step(node, plain, offset);
    steps += 1;
  }

  return { mention: mention && isBeginning(text, start) ? mention : undefined, steps };
}

/** Goes to the node of the next character, or behind what may join two words of a name. */
function step(node: Node, plain: string, offset: number): Position | undefined {
  const character = plain[offset] ?? '';
  const isColon = character === '/' || character === ':';
  const end = isColon ? skipColon(plain, offset) : offset + 1;
  const nextNode = node.next.get(isColon ? ':' : character);
  if (nextNode && (!isColon || letter.test(plain[end] ?? ''))) {
    return { node: nextNode, offset: end };
  }
  if (!node.isJoint) {
    return undefined;
  }

  const wordStart = skipJoint(plain, offset);
  const wordNode = node.next.get(plain[wordStart] ?? '');
  return wordNode && { node: wordNode, offset: wordStart + 1 };
}

/** The start of the next word of a name, behind at most three characters; the end of the text if nothing separates the words. */
function skipJoint(text: string, offset: number): number {
  let end = offset;
  while (end < offset + 3 && ' \t_-()'.includes(text[end] ?? '.')) {
    end += 1;
  }
  return end === offset ? text.length : end;
}

const colon = /:[\uE000\s]*\uE000/y;

function skipColon(text: string, offset: number): number {
  const next = text[offset + 1];
  const isFilled = next === filler || next === '\n';
  return offset + ((isFilled ? matchAt(colon, text, offset)?.length : undefined) ?? 1);
}

/** The text of a sticky expression at an offset. */
function matchAt(form: RegExp, text: string, offset: number): string | undefined {
  form.lastIndex = offset;
  return form.exec(text)?.[0];
}

/** The end of a name with the key that it is part of; undefined if it is part of a longer name. */
function findEndOfName(text: string, end: number): number | undefined {
  const key = matchAt(keyEnd, text, end);
  if (key !== undefined) {
    return end + key.length;
  }

  return matchAt(longerBehind, text, end) === undefined ? end : undefined;
}

/** Before a name: nothing of a longer name or of a path, except a registry. */
const longerBefore = /[\p{L}\p{N}][-_.+]$|[@$%/.\\]$|\$\{$/u;
const registry =
  /(?:^|[\s"'`=(:,|>[])(?:oci:\/\/|docker:\/\/)?(?:(?:[\w-]+(?:\.[\w-]+)+(?::\d+)?|localhost|[\w-]+:\d+)\/(?:library\/)?|(?:[\w@.-]+\/)*node_modules\/)$|\bchart["']?\s*[:=]\s*["']?[\w.-]+\/$/;
/** The name of a variable, which stands for a version. */
const reference = /\bversion\.ref["']?\s?[:=]\s?["']$/;

function isBeginning(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start);
  if (!longerBefore.test(before)) {
    return !/["']$/.test(before) || !reference.test(text.slice(Math.max(0, start - 30), start));
  }
  if (!before.endsWith('/')) {
    return false;
  }

  const path = text.slice(Math.max(0, start - 100), start);
  return registry.test(path) || (text[start] === '@' && path.endsWith('/'));
}
