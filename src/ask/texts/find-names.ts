import { parsePurl, type Purl } from '../../core/model/purl.ts';
import { lowerAscii } from '../../core/text/foreign-text.ts';
import {
  listNames,
  listWords,
  type NamedComponent,
  type Packages,
} from '../answers/match-names.ts';

/** A name in an index: of a component, or of a package that belongs to one. */
export interface IndexName {
  /** Finds its owners among the exact names. */
  readonly name: string;
  readonly component: string;
  readonly purl?: Purl | undefined;
  /** A title or an alias that is one plain word, such as "Server": other products have it, too. */
  readonly isPlainWord?: true | undefined;
}

/** A name in a text, from `start` up to `end`. */
interface Mention {
  readonly start: number;
  readonly end: number;
  readonly name: IndexName;
}

interface PackageName {
  readonly purl: Purl;
  readonly component: string;
}

/** A node in the tree of the characters of all names. */
interface Node {
  readonly next: Map<string, Node>;
  /** Whether white space, a dash or an underscore may be here. */
  isJoint?: true;
  name?: IndexName;
}

/** Longer names are not searched for: the work for each word of a text is limited. */
const longestName = 100;

/** The tree of the names of an index. */
export interface Names extends Node {
  /** The words of ids and titles. */
  readonly words: ReadonlySet<string>;
}

const trees = new WeakMap<object, Names>();

/** The tree of the names of an index. It is built once for a list of components. */
export function openNames(components: readonly NamedComponent[], packages: Packages): Names {
  const tree = trees.get(components) ?? buildTree(components, packages);
  trees.set(components, tree);
  return tree;
}

function buildTree(components: readonly NamedComponent[], packages: Packages): Names {
  const root: Names = { next: new Map(), words: new Set(components.flatMap(listWords)) };
  const byPath = new Map<string, PackageName[]>();
  for (const component of components) {
    for (const name of listNames(component)) {
      const isPlainWord = name !== component.name && /^\p{L}+$/u.test(name) ? true : undefined;
      addName(root, name, { name, component: component.name, isPlainWord });
    }
  }

  for (const [url, [owner]] of packages) {
    const purl = parsePurl(url);
    const path = [purl?.namespace, purl?.name].filter(Boolean).join('/');
    if (purl && owner) {
      byPath.set(path, [...(byPath.get(path) ?? []), { purl, component: owner.component }]);
    }
  }

  for (const [path, [first, another]] of byPath) {
    const { purl, component } = first!;
    addName(root, path, { name: path, component, purl: another ? undefined : purl });
  }

  for (const [{ purl, component }] of byPath.values() as Iterable<readonly [PackageName]>) {
    // The id of a Gradle plugin, which is published as an artifact.
    const { type, namespace = '', name } = purl;
    if (type === 'maven') {
      const id = name.endsWith('.gradle.plugin') ? namespace : `${namespace}.${name}`;
      addName(root, id, { name: id, component, purl });
    }
  }

  return root;
}

/** Keeps the first of equal names. */
function addName(root: Node, text: string, name: IndexName): void {
  let node = root;
  for (const character of text.toLowerCase().slice(0, longestName)) {
    const key = character === '/' ? ':' : character;
    if (/[\p{L}\p{N}.:@]/u.test(key)) {
      const existing = node.next.get(key) ?? { next: new Map() };
      node.next.set(key, existing);
      node = existing;
    } else if (node !== root && key !== ':') {
      node.isJoint = true;
    }
  }

  if (node !== root && text.length <= longestName) {
    node.name ??= name;
  }
}

const letter = /[\p{L}\p{N}]/u;
/** Behind the name of a variable or a key, such as `SVC_VERSION`, `svc.image.tag` and `svcVersion`. */
const keyEnd =
  /[-_.](?:image[-_.]?)?(?:version|tag|release)(?![\p{L}\p{N}_])|(?:Image)?(?:Version|Tag|Release)(?![\p{L}\p{N}_])/uy;
const keyEndInCapitals = /[-_](?:IMAGE[-_])?(?:VERSION|TAG|RELEASE)(?![\p{L}\p{N}_])/uy;
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
  const work = { steps: Math.max(leastSteps, mostSteps * text.length) };
  let searchedUntil = 0;

  for (const { index } of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (index < searchedUntil) {
      continue;
    }

    const start = plain[index - 1] === '@' && root.next.has('@') ? index - 1 : index;
    const mention =
      findLongestFrom(root, { text, plain, start, work }) ??
      (start < index ? findLongestFrom(root, { text, plain, start: index, work }) : undefined);

    if (work.steps < 0) {
      return undefined;
    }
    if (mention) {
      mentions.push(mention);
      searchedUntil = mention.end;
    }
  }

  return mentions;
}

interface Search {
  readonly text: string;
  /** In small letters. */
  readonly plain: string;
  readonly start: number;
  /** The steps that are left. */
  readonly work: { steps: number };
}

function findLongestFrom(root: Node, { text, plain, start, work }: Search): Mention | undefined {
  let node: Node | undefined = root;
  let offset = start;
  let longest: Mention | undefined;

  while (node) {
    work.steps -= 1;

    if (node.name) {
      const end = findEndOfName(text, offset);
      longest = end === undefined ? longest : { start, end, name: node.name };
    }

    const character: string = plain[offset] ?? '';
    const key: string = character === '/' ? ':' : character;
    const next: Node | undefined = node.next.get(key);
    if (next && (key !== ':' || letter.test(plain[skipColon(plain, offset)] ?? ''))) {
      offset = key === ':' ? skipColon(plain, offset) : offset + 1;
      node = next;
      continue;
    }

    offset = node.isJoint ? skipJoint(plain, offset) : plain.length;
    node = node.next.get(plain[offset] ?? '');
    offset += 1;
  }

  return longest && isBeginning(text, start) ? longest : undefined;
}

/** Behind at most three characters between two words of a name. */
function skipJoint(text: string, offset: number): number {
  let end = offset;
  while (end < offset + 3 && ' \t_-()'.includes(text[end] ?? '.')) {
    end += 1;
  }
  return end === offset ? text.length : end;
}

/** Stands for a character between the two parts of a coordinate that are written as elements or as keys. */
export const filler = '\uE000';
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
  const key = matchAt(keyEnd, text, end) ?? matchAt(keyEndInCapitals, text, end);
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
