import { keepByObject } from '../../core/model/objects.ts';
import { parsePurl, type Purl } from '../../core/model/purl.ts';
import { lowerAscii } from '../../core/text/foreign-text.ts';
import { listNames, type IndexNames } from '../answers/match-names.ts';
import { filler } from './simplify-text.ts';

/** A name in an index: of a component, or of a package that belongs to one. */
export interface IndexName {
  /** The text by which `findExact` finds its owners where there is no `purl`. */
  readonly name: string;
  /** The owner, or the first of several. */
  readonly component: string;
  readonly purl?: Purl | undefined;
  /** A title or an alias that is one plain word, such as "Server": other products have it, too. */
  readonly isPlainWord?: true | undefined;
}

/** A name in a text. `end` is behind the key or the element that the name may be part of, as in `svcVersion` and `<svc.version>`. */
interface FoundName {
  readonly start: number;
  readonly end: number;
  readonly name: IndexName;
}

/** The first character of `@example/svc` and `.NET`, but not of `example.net`. */
const signBefore = /(?<![\p{L}\p{N}])[@.]$/u;

/** Finds the names of an index in a text, the longest at each offset. */
export function findNames(names: IndexNames, text: string): FoundName[] {
  const root = openNameTree(names);
  // A few letters get longer in lower case, which would shift the offsets.
  const lower = text.toLowerCase();
  const plain = (lower.length === text.length ? lower : lowerAscii(text)).replaceAll('/', ':');
  const found: FoundName[] = [];
  let searchedUntil = 0;

  for (const { index } of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (index < searchedUntil) {
      continue;
    }

    const starts = matchesBefore(signBefore, plain, index, 2) ? [index - 1, index] : [index];
    for (const start of starts) {
      const longest = findLongestFrom(root, text, plain, start);
      if (longest) {
        found.push(longest);
        searchedUntil = longest.end;
        break;
      }
    }
  }

  return found;
}

/** The longest name that begins at an offset. `plain`: the text in lower case, with a colon for each slash. */
function findLongestFrom(
  root: NameNode,
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

/** A node of the tree, which has the names character by character: see `addName`. */
interface NameNode {
  /** By the next character. */
  readonly next: Map<string, NameNode>;
  /** The characters before the next word, such as ` & `, in each name that goes on here. A text may also have a space or a dash. */
  readonly joints: Set<string>;
  name?: IndexName;
}

/** Longer names are not searched for: this limits the work for each word of a text. */
const maxNameLength = 100;

/** The root of the tree of the names of an index, which is built once. */
const openNameTree = /* @__PURE__ */ keepByObject(buildTree);

function buildTree({ components, packages }: IndexNames): NameNode {
  const root = createNode();
  for (const component of components) {
    for (const name of listNames(component)) {
      const isPlainWord = (name !== component.name && /^\p{L}+$/u.test(name)) || undefined;
      addName(root, name, { name, component: component.name, isPlainWord });
    }
  }

  addPackages(root, packages);
  return root;
}

/**
 * Adds packages by their paths, such as `com.example:kit`, then artifacts of Maven with a dot in place of the colon. The artifact of
 * a plugin of Gradle gets the id of the plugin.
 */
function addPackages(root: NameNode, packages: IndexNames['packages']): void {
  const packageNames = [];
  for (const [url, [owner]] of packages) {
    const purl = parsePurl(url);
    if (purl && owner) {
      packageNames.push({ purl, component: owner.component });
    }
  }

  const byPath = Map.groupBy(packageNames, ({ purl: { namespace, name } }) =>
    namespace === undefined ? name : `${namespace}/${name}`,
  );
  for (const [path, [{ purl, component }, ...others]] of byPath) {
    // A path that several registries have is looked up by its text, which finds the owners in each.
    addName(root, path, { name: path, component, purl: others.length > 0 ? undefined : purl });
  }

  for (const { purl, component } of packageNames) {
    const { type, namespace = '', name } = purl;
    if (type === 'maven') {
      const dotted = name.endsWith('.gradle.plugin') ? namespace : `${namespace}.${name}`;
      addName(root, dotted, { name: dotted, component, purl });
    }
  }
}

function createNode(): NameNode {
  return { next: new Map(), joints: new Set() };
}

/**
 * Adds a node for each letter, digit, dot, `@` and colon; a slash is a colon. Other characters, such as the space in `Build agent`,
 * are a joint of the node before them. Keeps the first of equal names.
 */
function addName(root: NameNode, text: string, name: IndexName): void {
  if (text.length > maxNameLength) {
    return;
  }

  let node = root;
  const parts = text
    .toLowerCase()
    .replaceAll('/', ':')
    .matchAll(/([\p{L}\p{N}.:@])|[^\p{L}\p{N}.:@]+/gu);
  for (const [part, character] of parts) {
    if (character === undefined) {
      node.joints.add(part);
    } else {
      const existing = node.next.get(character) ?? createNode();
      node.next.set(character, existing);
      node = existing;
    }
  }

  if (node !== root) {
    node.name ??= name;
  }
}

/** A node, and the offset behind the text that leads to it. */
interface Cursor {
  readonly node: NameNode;
  readonly offset: number;
}

/** Goes to the node of the next character, or behind what may join two words of a name. */
function findNextCursor(node: NameNode, plain: string, offset: number): Cursor | undefined {
  const character = plain[offset] ?? '';
  if (character === ':') {
    return findBehindColon(node, plain, offset);
  }

  const nextNode = node.next.get(character);
  return nextNode ? { node: nextNode, offset: offset + 1 } : findNextWord(node, plain, offset);
}

const letterOrDigit = /[\p{L}\p{N}]/u;
/** A colon that `simplifyText` wrote between the two parts of a coordinate, with the fillers and spaces behind it. */
const filledColon = new RegExp(`:(?=[${filler}\n])[${filler}\\s]*${filler}`, 'y');

/** A colon belongs to a name if a letter or a digit follows, or what the name has there. */
function findBehindColon(node: NameNode, plain: string, offset: number): Cursor | undefined {
  const nextNode = node.next.get(':');
  const end = offset + (matchAt(filledColon, plain, offset)?.length ?? 1);
  return nextNode && (nextNode.joints.size > 0 || letterOrDigit.test(plain[end] ?? ''))
    ? { node: nextNode, offset: end }
    : undefined;
}

/** The characters that a text may have between two words, whatever the name has there. */
const joint = /[ \t_()-]{1,3}/y;

function findNextWord(node: NameNode, plain: string, offset: number): Cursor | undefined {
  const written = node.joints.size > 0 ? matchAt(joint, plain, offset) : undefined;
  const joints = written === undefined ? node.joints : [...node.joints, written];
  for (const joined of joints) {
    const start = offset + joined.length;
    const nextNode = node.next.get(plain[start] ?? '');
    if (nextNode && plain.startsWith(joined, offset)) {
      return { node: nextNode, offset: start + 1 };
    }
  }

  return undefined;
}

/** The text of a sticky expression at an offset. */
function matchAt(form: RegExp, text: string, offset: number): string | undefined {
  form.lastIndex = offset;
  return form.exec(text)?.[0];
}
