import { keepByObject, type NonEmpty } from '../../core/model/objects.ts';
import { listPackagesOfPurl, formatRegistryPackage } from '../../core/model/package-names.ts';
import { parsePurl, type Purl } from '../../core/model/purl.ts';
import { simplifyLetters } from '../../core/text/foreign-text.ts';
import { findNearest } from '../../core/text/wording.ts';

export interface NamedComponent {
  readonly name: string;
  readonly title: string;
  readonly aliases?: readonly string[] | undefined;
}

/** Name, title and aliases of a component, in lower case, without package URLs. */
export function listNames({ name, title, aliases = [] }: NamedComponent): string[] {
  return [name, title, ...aliases]
    .map((text) => text.toLowerCase())
    .filter((text) => !text.startsWith('pkg:'));
}

/** A component that has a name or a package. */
export interface Owner {
  readonly component: string;
  /** A regular expression that finds its version in a version of the package. Absent where both are the same, and for a name. */
  readonly extractVersion?: string | undefined;
}

/** The names of an index. */
export interface IndexNames {
  readonly components: readonly NamedComponent[];
  /** The owners of packages, by package URL. */
  readonly packages: ReadonlyMap<string, readonly Owner[]>;
}

/** Why a text may mean a component, the surest reason first. Programs get only `name` and `package`. */
const reasons = ['name', 'package', 'spoken', 'prefix', 'words', 'part', 'typo'] as const;
type MatchReason = (typeof reasons)[number];

/** A reading of a text: a name, and its versions. */
export interface Split {
  readonly name: string;
  readonly version?: string | undefined;
  /** The version to move to. */
  readonly to?: string | undefined;
}

/** A component that a text may mean. */
export interface Candidate extends Split, Pick<Owner, 'extractVersion'> {
  readonly reason: MatchReason;
}

export function isExact({ reason }: Candidate): boolean {
  return reason === 'name' || reason === 'package';
}

export type Candidates = NonEmpty<Candidate>;

export function isNonEmpty<Item>(items: readonly Item[]): items is NonEmpty<Item> {
  return items.length > 0;
}

/** The owners of a text, by exact name, title or alias, else by package. */
interface ExactMatch {
  readonly reason: 'name' | 'package';
  readonly owners: readonly Owner[];
}

/** Finds components by name, title or alias in any case, by package URL, or by the name of a package in its registry. */
export function findExact(text: string | Purl, names: IndexNames): ExactMatch {
  if (typeof text !== 'string') {
    return matchPurl(text, names);
  }

  const purl = parsePurl(text);
  return purl ? matchPurl(purl, names) : matchName(text, names);
}

function matchPurl(purl: Purl, names: IndexNames): ExactMatch {
  // `pkg:generic/svc` is the component itself.
  const isComponent = purl.type === 'generic' && purl.namespace === undefined;
  const owners =
    (isComponent ? openTables(names).byName.get(purl.name) : undefined) ??
    listPackagesOfPurl(purl).flatMap((each) => names.packages.get(each) ?? []);
  return { reason: 'package', owners };
}

function matchName(name: string, names: IndexNames): ExactMatch {
  const { byName, byPath } = openTables(names);
  const owners = byName.get(name.toLowerCase());
  if (owners) {
    return { reason: 'name', owners };
  }

  // The name of an image may begin with the host of a registry.
  const image = name.includes('/') ? names.packages.get(formatRegistryPackage('docker', name)) : [];
  const path = name.toLowerCase().replace(':', '/');
  return { reason: 'package', owners: byPath.get(path) ?? image ?? [] };
}

/** The lookup tables of an index, made once: a long text has a name in each of its lines. */
const openTables = /* @__PURE__ */ keepByObject(({ components, packages }: IndexNames) => {
  const byName = new Map<string, Owner[]>();
  for (const component of components) {
    for (const text of new Set(listNames(component))) {
      byName.set(text, [...(byName.get(text) ?? []), { component: component.name }]);
    }
  }

  const byPath = new Map<string, Owner[]>();
  /** The paths of the packages of each component, as one text to search in. */
  const pathsByComponent = new Map<string, string>();
  for (const [url, owners] of packages) {
    const path = readPath(url);
    byPath.set(path, [...(byPath.get(path) ?? []), ...owners]);
    for (const { component } of owners) {
      pathsByComponent.set(component, `${pathsByComponent.get(component) ?? ''} ${path}`);
    }
  }

  return { byName, byPath, pathsByComponent };
});

/** The components that a text names exactly. */
export function listExactMatches(
  text: string | Purl,
  names: IndexNames,
  version?: string,
): Candidate[] {
  const { reason, owners } = findExact(text, names);
  // A component may have packages of one name in several registries.
  return [...new Map(owners.map((owner) => [owner.component, owner])).values()].map(
    ({ component, ...owner }) => ({ ...owner, name: component, reason, version }),
  );
}

/** The name, and each word of name and title. */
export function listWords({ name, title }: NamedComponent): string[] {
  return [name, ...splitWords(`${name} ${title}`.toLowerCase())];
}

/** The components with exactly a name, and those whose names resemble it: each once, the surest first. */
export function listMatches(split: Split, names: IndexNames): Candidate[] {
  const candidates = listExactMatches(split.name, names, split.version);
  const { pathsByComponent } = openTables(names);
  for (const component of names.components) {
    const { name } = component;
    const packagePaths = pathsByComponent.get(name) ?? '';
    const reason = findResemblance(split.name.toLowerCase(), component, packagePaths);
    if (reason) {
      candidates.push({ ...split, name, reason });
    }
  }

  return removeRepeated(candidates);
}

/** The surest reason why a text may mean a component. */
function findResemblance(
  text: string,
  component: NamedComponent,
  packagePaths: string,
): MatchReason | undefined {
  const wantedWords = splitWords(text);
  if (wantedWords.length === 0) {
    return undefined;
  }

  const names = listNames(component);
  const words = listWords(component);
  const hasWords = wantedWords.every((word) => words.includes(word));
  if (hasWords && wantedWords.length > 1) {
    return 'spoken';
  }
  if (names.some((name) => name.startsWith(text))) {
    return 'prefix';
  }
  if (hasWords) {
    return 'words';
  }

  const searched = `${names.join(' ')} ${packagePaths}`;
  if (
    wantedWords.some((word) => word.length > 2) &&
    wantedWords.every((word) => searched.includes(word))
  ) {
    return 'part';
  }

  const isTypo =
    names.some((name) => isNear(text, name)) ||
    wantedWords.every((wanted) => words.some((word) => isNear(wanted, word)));
  return isTypo ? 'typo' : undefined;
}

/** The component that a person means by several words of its id and title, if it is the only one. */
export function findOnlySpoken(candidates: readonly Candidate[]): Candidate | undefined {
  const [spoken, another] = candidates.filter(({ reason }) => reason === 'spoken');
  return another ? undefined : spoken;
}

/** Each component once, by its surest reason. */
export function removeRepeated(candidates: readonly Candidate[]): Candidate[] {
  const sorted = candidates.toSorted(
    (a, b) => reasons.indexOf(a.reason) - reasons.indexOf(b.reason),
  );
  return Array.from(Map.groupBy(sorted, ({ name }) => name).values(), ([first]) => first);
}

function splitWords(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && word !== 'for');
}

/** `@scope/name` for `pkg:npm/%40scope/name`. */
function readPath(purl: string): string {
  return decodeURIComponent(purl.slice(purl.indexOf('/') + 1)).toLowerCase();
}

/** The names of the components with a mistyped name. */
export function suggestComponents(name: string, components: readonly NamedComponent[]): string[] {
  return components
    .filter((component) => listNames(component).some((each) => isNear(name, each)))
    .map((component) => component.name);
}

/** Whether a text is a mistyped name: at most one letter in five differs, or all letters are there in another order. */
function isNear(text: string, name: string): boolean {
  if (text === name) {
    return true;
  }

  const a = simplifyLetters(text);
  const b = simplifyLetters(name);
  const isShuffled = a.length > 4 && a[0] === b[0] && sortLetters(a) === sortLetters(b);
  return a.length > 2 && (isShuffled || findNearest(a, [b]) !== undefined);
}

function sortLetters(text: string): string {
  return [...text].sort().join('');
}
