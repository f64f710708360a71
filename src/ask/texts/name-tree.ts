import { parsePurl, type Purl } from '../../core/model/purl.ts';
import { listNames, listWords, type IndexNames, type Packages } from '../answers/match-names.ts';

/** A name in an index: of a component, or of a package that belongs to one. */
export interface IndexName {
  /** The text that `listExactMatches` resolves to its owners. */
  readonly name: string;
  readonly component: string;
  readonly purl?: Purl | undefined;
  /** A title or an alias that is one plain word, such as "Server": other products have it, too. */
  readonly isPlainWord?: true | undefined;
}

/** A node in the tree of the characters of all names. */
export interface NameNode {
  /** By the next character. */
  readonly next: Map<string, NameNode>;
  /** Whether spaces, dashes, underscores or brackets may follow. */
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

const trees = new WeakMap<IndexNames, NameTree>();

/** The tree of the names of an index, which is built once. */
export function openNames(names: IndexNames): NameTree {
  const tree = trees.get(names) ?? buildTree(names);
  trees.set(names, tree);
  return tree;
}

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

/** Adds packages by their paths, then artifacts of Maven by the ids that they have as plugins of Gradle. */
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
    // A path that several registries have finds the owners in each by its text.
    addName(root, path, { name: path, component, purl: others.length > 0 ? undefined : purl });
  }

  for (const { purl, component } of packageNames) {
    const { type, namespace = '', name } = purl;
    if (type === 'maven') {
      const id = name.endsWith('.gradle.plugin') ? namespace : `${namespace}.${name}`;
      addName(root, id, { name: id, component, purl });
    }
  }
}

/** Keeps the first of equal names. */
function addName(root: NameNode, text: string, name: IndexName): void {
  if (text.length > maxNameLength) {
    return;
  }

  let node = root;
  for (const character of text.toLowerCase()) {
    const key = character === '/' ? ':' : character;
    if (/[\p{L}\p{N}.:@]/u.test(key)) {
      const existing = node.next.get(key) ?? { next: new Map() };
      node.next.set(key, existing);
      node = existing;
    } else if (node !== root && key !== ':') {
      node.isJoint = true;
    }
  }

  if (node !== root) {
    node.name ??= name;
  }
}
