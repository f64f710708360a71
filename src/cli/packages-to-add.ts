import type { Item } from '../ask/scan/items.ts';
import { imagesOf, type Purl } from '../core/purl.ts';
import { counted, listed } from '../core/text.ts';
import { decode } from '../io/files/documents.ts';
import { adapterOf, packageSources } from '../record/sources/index.ts';
import { inputError } from './command.ts';
import { parseEntries, readInput, throwProblems } from './read-items.ts';

export interface ListedPackage {
  datasource: string;
  packageName: string;
}

interface ListedPackages {
  packages: ListedPackage[];
  /** On entries that no known datasource has. */
  notes: string[];
}

/**
 * The packages of a bill of materials, a `package.json` or a list. `datasource`: for names without a package URL. Throws an
 * InputError with all problems of the file.
 */
export async function readPackages(
  path: string,
  datasource: string | undefined,
): Promise<ListedPackages> {
  const bytes = await readInput(path);
  const manifest = readManifest(bytes);
  if (manifest) {
    return manifest;
  }
  const { entries, problems } = parseEntries(path, bytes, datasource !== undefined);
  throwProblems(path, problems);
  const packages = new Map<string, ListedPackage>();
  const leftOut = new Map<string, string[]>();
  for (const entry of entries) {
    const [first] = entry;
    // The subject of a bill of materials is rarely in a registry.
    if (!first || first.isSubject) {
      continue;
    }
    const found = entry.flatMap((item) => packageOf(item, datasource) ?? [])[0];
    if (found) {
      packages.set(`${found.datasource} ${found.packageName}`, found);
    } else {
      const type = first.purl?.type;
      const why = type ? `of the type ${type}, which has no datasource` : 'without a package URL';
      leftOut.set(why, [...(leftOut.get(why) ?? []), first.text]);
    }
  }
  if (packages.size + leftOut.size === 0) {
    throw inputError(path, 'names no package');
  }
  const notes = [...leftOut].map(
    ([why, of]) => `left out ${counted(of.length, 'entry')} ${why}: ${listed(of, 5)}`,
  );
  return { packages: [...packages.values()], notes };
}

function packageOf(
  { purl, name }: Item,
  datasource: string | undefined,
): ListedPackage | undefined {
  if (purl) {
    return packageOfPurl(imagesOf(purl)[0] ?? purl);
  }
  return datasource === undefined || name === undefined
    ? undefined
    : { datasource, packageName: name };
}

function packageOfPurl({ type, namespace, name }: Purl): ListedPackage | undefined {
  const known = packageSources.find(
    ({ datasource, needsRegistry }) =>
      !needsRegistry && adapterOf({ datasource }).purlType === type,
  );
  const parts = namespace === undefined ? [name] : [namespace, name];
  return (
    known && { datasource: known.datasource, packageName: parts.join(type === 'maven' ? ':' : '/') }
  );
}

const dependencyKeys = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
];

/** The dependencies of a `package.json` that come from a registry; undefined for any other document. */
function readManifest(bytes: Uint8Array): ListedPackages | undefined {
  const document = tryParse(bytes);
  if (document === undefined || 'bomFormat' in document) {
    return undefined;
  }
  const dependencies = dependencyKeys.flatMap((key) =>
    Object.entries(Object(document[key]) as object),
  );
  if (dependencies.length === 0) {
    return undefined;
  }
  const names = new Set<string>();
  const elsewhere = new Set<string>();
  for (const [name, range] of dependencies as [string, unknown][]) {
    // npm's package-spec: an alias, or a source other than a registry.
    const alias = /^npm:(@?[^@]+)/.exec(String(range))?.[1];
    if (alias === undefined && /[/:]/.test(String(range))) {
      elsewhere.add(name);
    } else {
      names.add(alias ?? name);
    }
  }
  return {
    packages: Array.from(names, (packageName) => ({ datasource: 'npm', packageName })),
    notes:
      elsewhere.size > 0
        ? [`left out ${listed([...elsewhere], 5)}, which do not come from a registry`]
        : [],
  };
}

function tryParse(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    return Object(JSON.parse(decode(bytes))) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
