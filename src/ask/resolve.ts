import { packageOf, type Purl } from '../core/purl.ts';
import { nearest } from '../core/nearest.ts';
import { counted, listed, quote } from '../core/text.ts';
import { parseVersion } from '../core/version.ts';
import type { Expression } from '../core/expression.ts';
import type { DetailsOn } from './details-on.ts';
import { findRelease } from './find-release.ts';
import { linesOf } from './judge-version.ts';
import type { PublishedIndex } from './published-index.ts';
import type { PackageOwner } from '../core/schemas/published/small-files.ts';
import { namesOf, pathOf, type Candidate, type NamedComponent, type Packages } from './match-names.ts';
import { readQuestion } from './read-question.ts';

/** Where components are found by what they are called. */
export interface NameSource {
  named(): Promise<readonly NamedComponent[]>;
  packages(): Promise<Packages>;
  details(component: string): Promise<DetailsOn | undefined>;
  /** Reads an expression of a definition; absent where the usual engine does. */
  compile?(pattern: string): Pick<Expression, 'match'>;
}

/** A text that is not answered: why, in a sentence, and what may have been meant. */
export class UnknownNameError extends Error {
  override readonly name = 'UnknownNameError';
  readonly didYouMean: readonly string[];

  constructor(message: string, didYouMean: readonly string[] = []) {
    super(message);
    this.didYouMean = didYouMean;
  }
}

/** A text in the place of a version that is none. */
export class NoVersionError extends Error {
  override readonly name = 'NoVersionError';
}

/** A component, and what a text asks of it. */
export interface Resolved {
  readonly details: DetailsOn;
  /** Absent where the text names none. */
  readonly version?: string | undefined;
  readonly to?: string | undefined;
  /** How the text was read, where the name is not exact. */
  readonly note?: string | undefined;
}

/** As many as a person compares. */
export const mostChoices = 7;

/** The component of exactly this name, title, alias, package or former name. Throws an `UnknownNameError`. */
export async function requireComponent(source: NameSource, text: string): Promise<DetailsOn> {
  const { details, version } = await resolveExact(source, text);
  if (version !== undefined) throw await unknownName(source, text);
  return details;
}

/** The component that a text names exactly, with or without a version: nobody guesses for a program. Throws an `UnknownNameError`. */
export async function resolveExact(source: NameSource, text: string): Promise<Resolved> {
  // A former name is in no list.
  const own = await source.details(text);
  if (own) return { details: own };
  const [components, packages] = await Promise.all([source.named(), source.packages()]);
  const question = readQuestion(text, components, packages, { isExact: true });
  if (question.kind !== 'components') throw await unknownName(source, text);
  const [candidate, another] = question.candidates;
  if (another) {
    const names = question.candidates.map(({ name }) => name);
    const several = `${counted(names.length, 'component')}: ${listed(names, 10)}`;
    throw new UnknownNameError(`${quote(text)} can mean ${several}. Name one.`, names);
  }
  return (await found(source, candidate!))!;
}

/**
 * The component that a person means: a version that a single candidate knows decides; else the one exact candidate does. Where
 * neither helps, the candidates to choose from, the likeliest first.
 */
export async function decide(
  source: NameSource,
  candidates: readonly Candidate[],
): Promise<{ one: Resolved } | { several: readonly Resolved[] }> {
  const exact = candidates.filter(isExact);
  const asksVersion = candidates.some(({ version }) => version !== undefined);
  if (exact.length === 1 && !asksVersion) return { one: (await found(source, exact[0]!))! };
  if (exact.length === 1) {
    const resolved = (await found(source, exact[0]!))!;
    if (knows(resolved)) return { one: resolved };
  }
  const read = candidates.slice(0, mostChoices).map((candidate) => found(source, candidate));
  const several = (await Promise.all(read)).filter((each) => each !== undefined);
  const knowing = several.filter(knows);
  if (asksVersion && knowing.length === 1) return { one: knowing[0]! };
  const [own] = several;
  if (exact.length === 1 || (several.length === 1 && !asksVersion)) return { one: own! };
  return { several: knowing.length > 0 ? knowing : several };
}

function isExact({ reason }: Candidate): boolean {
  return reason === 'name' || reason === 'package';
}

async function found(source: NameSource, candidate: Candidate): Promise<Resolved | undefined> {
  const { name, version, to, owner } = candidate;
  const details = await source.details(name);
  const own = owner && version !== undefined ? await extractVersion(owner, version, source) : version;
  const note = isExact(candidate) ? undefined : `Read as ${details?.title}.`;
  return details && { details, version: own, to, note };
}

function knows({ details, version }: Resolved): boolean {
  return version !== undefined && knowsVersion(details, version);
}

interface Named {
  readonly line: string;
}

interface Listed {
  readonly version: string;
}

/** Whether a version is listed, or a line or the beginning of some. */
export function knowsVersion(
  { lines, releases }: { readonly lines: readonly Named[]; readonly releases: readonly Listed[] },
  version: string,
): boolean {
  const asked = version.replace(/(?:\.[x*])+$/i, '');
  const parsed = parseVersion(asked);
  return (
    findRelease(releases, asked) !== undefined || (parsed !== undefined && linesOf(lines, parsed).length > 0)
  );
}

/** The names of the components that a package URL names, whatever its version. */
export async function componentsOfPackage(index: PublishedIndex, purl: Purl): Promise<ReadonlySet<string>> {
  const owners = (await index.packages()).get(packageOf(purl)) ?? [];
  // Every component is called so, too.
  const own = purl.type === 'generic' && purl.namespace === undefined ? [purl.name] : [];
  return new Set([...own, ...owners.map(({ component }) => component)]);
}

/** What to write in place of a text that is no package URL. */
export const expectedPurl = 'a package URL such as pkg:npm/%40example/agent';

/** Components by name, title or alias in any case, or by a package as its registry calls it. */
export async function exactNames(index: PublishedIndex): Promise<(text: string) => readonly PackageOwner[]> {
  const names = (await index.named()).flatMap((component) =>
    namesOf(component).map((text) => [text, { component: component.name }] as const),
  );
  const paths = Array.from(await index.packages()).flatMap(([url, owners]) =>
    owners.map((owner) => [pathOf(url), owner] as const),
  );
  const known = Map.groupBy([...names, ...paths], ([text]) => text);
  return (text) => known.get(text.toLowerCase().replace(':', '/'))?.map(([, owner]) => owner) ?? [];
}

async function unknownName(source: NameSource, text: string): Promise<UnknownNameError> {
  const [components, packages] = await Promise.all([source.named(), source.packages()]);
  const names = components.map(({ name }) => name);
  const question = readQuestion(text, components, packages);
  const alike = question.kind === 'components' ? question.candidates.map(({ name }) => name) : [];
  const near = [alike, nearest(text, names) ?? []].flat();
  const didYouMean = [...new Set(near)].slice(0, mostChoices);
  const hint = didYouMean[0] === undefined ? '' : ` Did you mean ${quote(didYouMean[0])}?`;
  const size = `The index has ${counted(names.length, 'component')}.`;
  return new UnknownNameError(`There is no component ${quote(text)}.${hint} ${size}`, didYouMean);
}

/** The version of the index for one of a package; as it is where the owner takes nothing out of it. */
export async function extractVersion(
  { extractVersion: pattern }: PackageOwner,
  version: string,
  { compile }: Pick<NameSource, 'compile'> = {},
): Promise<string> {
  if (pattern === undefined) return version;
  // Few packages need it, and every isolate of the host would have to load it.
  const expression = compile?.(pattern) ?? (await import('../core/expression.ts')).compileExpression(pattern);
  return expression.match(version)?.['version'] ?? version;
}
