import { keepByObject } from '../../core/model/objects.ts';
import { parsePurl, type Purl } from '../../core/model/purl.ts';
import { listNames, listWords, type IndexNames, type Packages } from '../answers/match-names.ts';

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
export interface NameNode {
  /** By the next character. */
  readonly next: Map<string, NameNode>;
  /** Whether a name has a space, a dash or the like here, so that a text may have one, too. */
  isJoint?: true;
  name?: IndexName;
}

/** The tree of the names of an index. */
export interface NameTree extends NameNode {
  /** The words of ids and titles. */
  readonly words: ReadonlySet<string>;
}

/** Longer names are not searched for: this limits the work for each word of a text. */
const maxNameLength = 100;

/** The tree of the names of an index, which is built once. */
export const openNameTree = keepByObject(buildTree);

function buildTree({ components, packages }: IndexNames): NameTree {
  const root: NameTree = { next: new Map(), words: new Set(components.flatMap(listWords)) };
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
