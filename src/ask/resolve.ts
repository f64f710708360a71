import { packageOf, type Purl } from '../core/purl.ts';
import { didYouMean } from '../core/nearest.ts';
import { counted, defined, listed, quote } from '../core/text.ts';
import type { DetailsOn } from './details-on.ts';
import type { PublishedIndex } from './published-index.ts';
import type { PackageOwner } from '../core/schemas/published/small-files.ts';
import { namesOf, pathOf, readQuestion, type NamedComponent, type Packages } from './read-question.ts';

/** The component of exactly this name, alias or former name: a program does not mistype. Throws an `UnknownNameError`. */
export async function requireComponent(index: PublishedIndex, name: string): Promise<DetailsOn> {
  const details = await index.details(name);
  if (details) return details;
  const named = await namedComponents(index);
  const called = named.find((component) => namesOf(component).includes(name.toLowerCase()));
  const found = called && (await index.details(called.name));
  if (found) return found;
  throw unknownName(name, named);
}

/** The one component that a text names, and the version beside it. Throws an `UnknownNameError`. */
export async function resolve(
  index: PublishedIndex,
  text: string,
): Promise<{ details: DetailsOn; version?: string; note?: string }> {
  // A name as it is needs no list, and a former one is in none.
  const own = await index.details(text);
  if (own) return { details: own };
  const named = await namedComponents(index);
  const { name, ...beside } = await resolveAmong(text, named, () => index.packages());
  return { details: (await index.details(name))!, ...beside };
}

async function namedComponents(index: PublishedIndex): Promise<NamedComponent[]> {
  const { components } = await index.status();
  return Object.entries(components).map(([name, { title = name, aliases }]) => ({ name, title, aliases }));
}

/** The same among components whose names are known. `readPackages`: what is read only where no name or title fits. */
export async function resolveAmong(
  text: string,
  components: readonly NamedComponent[],
  readPackages: () => Packages | Promise<Packages>,
): Promise<{ name: string; version?: string; note?: string }> {
  let question = readQuestion(text, components);
  if (question.kind === 'query' || question.isTypo)
    question = readQuestion(text, components, await readPackages());
  if (question.kind === 'query') throw unknownName(text, components);
  const { components: found, version, isTypo, owners = [] } = question;
  const several = listed(
    found.map(({ name }) => name),
    10,
  );
  if (found.length > 1)
    throw new UnknownNameError(
      `${quote(text)} can mean ${counted(found.length, 'component')}: ${several}. Name one.`,
    );
  const { name } = found[0]!;
  const owner = owners.find(({ component }) => component === name);
  const own = owner && version !== undefined ? await extractVersion(owner, version) : version;
  return defined({ name, version: own, note: isTypo && `Read as ${name}.` });
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
  const names = (await namedComponents(index)).flatMap((component) =>
    namesOf(component).map((text) => [text, { component: component.name }] as const),
  );
  const paths = Array.from(await index.packages()).flatMap(([url, owners]) =>
    owners.map((owner) => [pathOf(url), owner] as const),
  );
  const known = Map.groupBy([...names, ...paths], ([text]) => text);
  return (text) => known.get(text.toLowerCase().replace(':', '/'))?.map(([, owner]) => owner) ?? [];
}

/** No component, or more than one, has the name. The message says which there are. */
export class UnknownNameError extends Error {
  override readonly name = 'UnknownNameError';
}

function unknownName(text: string, components: readonly NamedComponent[]): UnknownNameError {
  const names = components.map(({ name }) => name);
  const hint = didYouMean(text, names);
  return new UnknownNameError(
    `There is no component ${quote(text)}.${hint} The index has ${counted(names.length, 'component')}.`,
  );
}

/** The version of the index for one of a package; as it is where the owner takes nothing out of it. */
export async function extractVersion(
  { extractVersion: pattern }: PackageOwner,
  version: string,
): Promise<string> {
  if (pattern === undefined) return version;
  // Few packages need it, and every isolate of the host would have to load it.
  const { compileExpression } = await import('../core/expression.ts');
  return compileExpression(pattern).match(version)?.['version'] ?? version;
}
