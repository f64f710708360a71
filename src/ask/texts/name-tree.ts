import { keepByObject } from '../../core/model/objects.ts';
import { parsePurl, type Purl } from '../../core/model/purl.ts';
import { listNames, listWords, type IndexNames, type Packages } from '../answers/match-names.ts';
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

/** A node of the tree, which has the names character by character: see `addName`. */
interface NameNode {
  /** By the next character. */
  readonly next: Map<string, NameNode>;
  /** Whether a name has a space, a dash or the like here, so that a text may have one, too. */
  isJoint?: true;
  name?: IndexName;
}

/** The tree of the names of an index. */
export interface NameTree {
  readonly root: NameNode;
  /** The words of ids and titles. */
  readonly words: ReadonlySet<string>;
}

/** Longer names are not searched for: this limits the work for each word of a text. */
const maxNameLength = 100;

/** The tree of the names of an index, which is built once. */
export const openNameTree = /* @__PURE__ */ keepByObject(buildTree);

function buildTree({ components, packages }: IndexNames): NameTree {
  const root: NameNode = { next: new Map() };
  for (const component of components) {
    for (const name of listNames(component)) {
      const isPlainWord = (name !== component.name && /^\p{L}+$/u.test(name)) || undefined;
      addName(root, name, { name, component: component.name, isPlainWord });
    }
  }

  addPackages(root, packages);
  return { root, words: new Set(components.flatMap(listWords)) };
}

/**
 * Adds packages by their paths, such as `com.example:kit`, then artifacts of Maven with a dot in place of the colon. The artifact of
 * a plugin of Gradle gets the id of the plugin.
 */
function addPackages(root: NameNode, packages: Packages): void {
  const packageNames: { purl: Purl; component: string }[] = [];
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

const nodeCharacter = /[\p{L}\p{N}.:@]/u;

/**
 * Adds a node for each letter, digit, dot, `@` and colon; a slash is a colon. Any other character, such as the space in `Build
 * agent`, marks the node before it. Keeps the first of equal names.
 */
function addName(root: NameNode, text: string, name: IndexName): void {
  if (text.length > maxNameLength) {
    return;
  }

  let node = root;
  for (const character of text.toLowerCase().replaceAll('/', ':')) {
    if (nodeCharacter.test(character)) {
      const existing = node.next.get(character) ?? { next: new Map() };
      node.next.set(character, existing);
      node = existing;
    } else {
      node.isJoint = true;
    }
  }

  if (node !== root) {
    node.name ??= name;
  }
}

/** A node, and the offset behind the text that leads to it. */
export interface Cursor {
  readonly node: NameNode;
  readonly offset: number;
}

/** Goes to the node of the next character, or behind what may join two words of a name. */
export function findNextCursor(node: NameNode, plain: string, offset: number): Cursor | undefined {
  const character = plain[offset] ?? '';
  if (character === ':' || character === '/') {
    return findBehindColon(node, plain, offset);
  }

  const nextNode = node.next.get(character);
  if (nextNode) {
    return { node: nextNode, offset: offset + 1 };
  }
  return node.isJoint ? findNextWord(node, plain, offset) : undefined;
}

const letterOrDigit = /[\p{L}\p{N}]/u;
/** A colon that `simplifyText` wrote between the two parts of a coordinate, with the fillers and spaces behind it. */
const filledColon = new RegExp(`:(?=[${filler}\n])[${filler}\\s]*${filler}`, 'y');

/** A colon or a slash belongs to a name if a letter or a digit follows. */
function findBehindColon(node: NameNode, plain: string, offset: number): Cursor | undefined {
  const nextNode = node.next.get(':');
  const end = offset + (matchAt(filledColon, plain, offset)?.length ?? 1);
  return nextNode && letterOrDigit.test(plain[end] ?? '')
    ? { node: nextNode, offset: end }
    : undefined;
}

const joint = /[ \t_()-]{1,3}/y;

function findNextWord(node: NameNode, plain: string, offset: number): Cursor | undefined {
  const joined = matchAt(joint, plain, offset);
  if (joined === undefined) {
    return undefined;
  }

  const start = offset + joined.length;
  const nextNode = node.next.get(plain[start] ?? '');
  return nextNode && { node: nextNode, offset: start + 1 };
}

/** The text of a sticky expression at an offset. */
export function matchAt(form: RegExp, text: string, offset: number): string | undefined {
  form.lastIndex = offset;
  return form.exec(text)?.[0];
}
