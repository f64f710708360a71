import type { PackageOwner } from '../core/schemas/published/small-files.ts';
import { packageOf, parsePurl } from '../core/purl.ts';

export interface NamedComponent {
  readonly name: string;
  readonly title: string;
  readonly aliases?: readonly string[] | undefined;
}

/** Everything that a component is called, in small letters. */
export function namesOf({ name, title, aliases = [] }: NamedComponent): string[] {
  return [name, title, ...aliases].map((text) => text.toLowerCase());
}

export type Packages = ReadonlyMap<string, readonly PackageOwner[]>;

/** Components by a name. `isTypo`: a letter is wrong. */
interface Found<Component> {
  readonly components: readonly Component[];
  readonly isTypo?: true;
  /** Set for a package: how to turn a version of the package into a version of the component. */
  readonly owners?: readonly PackageOwner[];
}

/** The intention behind a text that somebody typed. */
export type Question<Component> =
  | (Found<Component> & { readonly kind: 'components'; readonly version?: string })
  /** Releases, in the query language. `isPlain`: the text has nothing of its syntax. */
  | { readonly kind: 'query'; readonly query: string; readonly isPlain: boolean };

/** Punctuation and operators of the query language, which names and titles do not have. */
const querySyntax = /[:<>=()"*[\]!]|(?:^|\s)(?:-|(?:and|or|not)\s)/i;

/** Words around a name and a version in a question. */
const aside = new Set(
  "a an and are can do does eol end ended ending ends for good how i in is it latest life line long me my newest of ok on our out please release should still support supported supports tell the till to until upgrade use using version versions we what what's whats when which will with you".split(
    ' ',
  ),
);

const versionForm = /^v?\d[\w.+~*:!-]*$/i;
/** `svc@2025.1`, `svc:2025.1`, `svc-2025.1`, `svc==2025.1`. */
const joined = /^(.*[^\s@:=_/-])(?:@|:|==?|_|-|\/)(v?\d[\w.+~*-]*|latest)$/i;
/** The same where the version has a separator itself: `svc@1:2.3`. */
const joinedEarly = /^(.*?[^\s@:=_/-])(?:@|:|==?)(v?\d[\w.+~*:!-]*)$/i;

/** Reads a text as a name with or without a version, or else as a query. */
export function readQuestion<Component extends NamedComponent>(
  text: string,
  components: readonly Component[],
  packages?: Packages,
): Question<Component> {
  const plain = text
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replace(/[?!.,;\s]+$/, '')
    .trim();
  const [, count, unit] =
    /^ends? (?:with)?in (?:the next )?(\d+) (day|week|month|year)s?$/i.exec(plain) ?? [];
  if (unit !== undefined) {
    const short = unit.toLowerCase() === 'month' ? 'mo' : unit[0]!.toLowerCase();
    return { kind: 'query', query: `supportLeft:<${count}${short}`, isPlain: true };
  }
  const isPlain = !querySyntax.test(plain);
  const readings = readingsOf(plain);
  // What is written exactly like a name is that name; what only resembles one may be anything else.
  for (const isExact of isPlain ? [true, false] : [true]) {
    for (const { name, version } of readings) {
      if (!isExact && version === undefined && versionForm.test(name.split(/\s+/).at(-1)!)) continue;
      const found = findComponents(name, components, packages, isExact);
      if (found.components.length === 0) continue;
      return { kind: 'components', ...found, ...(version !== undefined && { version }) };
    }
  }
  const isOver = /^(?:eol|end of life|out of support)$/i.test(plain);
  return { kind: 'query', query: isOver ? 'ended' : plain, isPlain };
}

interface NameAndVersion {
  readonly name: string;
  readonly version?: string;
}

/** What may be the name and what the version, the most literal reading first. */
function readingsOf(text: string): NameAndVersion[] {
  const versionOf = (version: string) => (/^latest$/i.test(version) ? {} : { version });
  const purl = parsePurl(text);
  if (purl) return [{ name: text, ...(purl.version !== undefined && { version: purl.version }) }];
  const found: NameAndVersion[] = [{ name: text }];
  const [, name, version] = joined.exec(text) ?? [];
  if (name !== undefined) found.push({ name, ...versionOf(version!) });
  const [, early, whole] = joinedEarly.exec(text) ?? [];
  if (early !== undefined) found.push({ name: early, version: whole! });
  const words = text.split(/\s+/);
  const place = words.findLastIndex((word) => versionForm.test(word));
  const others = words.filter((_, index) => index !== place);
  if (place !== -1) found.push({ name: others.join(' '), version: words[place]! });
  const meant = (of: readonly string[]) => of.filter((word) => !aside.has(word.toLowerCase())).join(' ');
  if (place !== -1) found.push({ name: meant(others), version: words[place]! });
  const [, joinedName, joinedVersion] = joined.exec(meant(words)) ?? [];
  if (joinedName !== undefined) found.push({ name: joinedName, ...versionOf(joinedVersion!) });
  if (place === -1) found.push({ name: meant(words) });
  return found.filter(({ name }) => name !== '');
}

/**
 * The components of a name, a title, an alias, a package or a package URL; else those that begin with the text, then those that
 * have all of its words, then those with one mistake in a letter. `isExact`: only the first.
 */
function findComponents<Component extends NamedComponent>(
  text: string,
  components: readonly Component[],
  packages: Packages = new Map(),
  isExact = false,
): Found<Component> {
  const wanted = text.toLowerCase();
  const those = (is: (component: Component) => boolean) => components.filter(is);
  const named = those((component) => namesOf(component).includes(wanted));
  if (named.length > 0) return { components: named };
  const owners = ownersOf(text, packages);
  const owning = those(({ name }) => owners.some(({ component }) => component === name));
  if (owning.length > 0 || isExact) return { components: owning, ...(owners.length > 0 && { owners }) };

  const words = wordsOf(wanted);
  const packaged = packageWords(packages);
  const ownWords = ({ name, title }: Component) => [name, ...wordsOf(`${name} ${title}`.toLowerCase())];
  const hasWords = (searched: string) => words.every((word) => searched.toLowerCase().includes(word));
  const resemblances: readonly ((component: Component) => boolean)[] = [
    ({ name, title }) => name.startsWith(wanted) || title.toLowerCase().startsWith(wanted),
    (component) => words.every((word) => ownWords(component).includes(word)),
    ({ name, title }) => hasWords(`${name} ${title}`),
    ({ aliases = [] }) => aliases.some(hasWords),
    ({ name, title }) => hasWords(`${name} ${title} ${packaged.get(name) ?? ''}`),
  ];
  for (const resembles of words.length > 0 ? resemblances : resemblances.slice(0, 1)) {
    const found = those(resembles);
    if (found.length > 0) return { components: found };
  }
  const near = (component: Component) => (word: string) =>
    ownWords(component).some((own) => isNear(word, own));
  const mistyped = those(
    (component) => namesOf(component).some((known) => isNear(wanted, known)) || words.every(near(component)),
  );
  return { components: words.length > 0 ? mistyped : [], isTypo: true };
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

/** The components that a package belongs to: by package URL, or as its registry calls it. */
function ownersOf(text: string, packages: Packages): readonly PackageOwner[] {
  const purl = parsePurl(text);
  if (purl?.type === 'generic' && purl.namespace === undefined) return [{ component: purl.name }];
  if (purl) return packages.get(packageOf(purl)) ?? [];
  const path = text.toLowerCase().replace(':', '/');
  return Array.from(packages).flatMap(([url, owners]) => (pathOf(url) === path ? owners : []));
}

/** `@scope/name` of `pkg:npm/%40scope/name`. */
export function pathOf(purl: string): string {
  return decodeURIComponent(purl.slice(purl.indexOf('/') + 1)).toLowerCase();
}

function packageWords(packages: Packages): Map<string, string> {
  const words = new Map<string, string>();
  for (const [url, owners] of packages)
    for (const { component } of owners) words.set(component, `${words.get(component) ?? ''} ${pathOf(url)}`);
  return words;
}

/** One letter too many, too few or another, or two that changed places. */
function isNear(text: string, known: string): boolean {
  if (text === known) return true;
  if (text.length < 3 || Math.abs(text.length - known.length) > 1) return false;
  let start = 0;
  while (text[start] === known[start]) start += 1;
  const [rest, other] = [text.slice(start), known.slice(start)];
  return (
    rest.slice(1) === other ||
    rest === other.slice(1) ||
    rest.slice(1) === other.slice(1) ||
    (rest[0] === other[1] && rest[1] === other[0] && rest.slice(2) === other.slice(2))
  );
}
