import type { Entry } from '../ask/texts/items.ts';
import { imagesOf, type Purl } from '../core/model/purl.ts';
import { listed } from '../core/text/text.ts';
import { adapterOf, packageSources } from '../record/sources/index.ts';
import { readFileText, throwProblems } from './read-items.ts';
import { inputError } from '../core/schemas/finding.ts';

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
 * The packages that a file names, in any form that a scan reads. `datasource`: for names without a package URL. Throws an
 * InputError with all problems of the file.
 */
export async function readPackages(
  path: string,
  datasource: string | undefined,
): Promise<ListedPackages> {
  const { entries, problems, notes = [] } = await readFileText(path);

  throwProblems(path, problems);

  const packages = new Map<string, ListedPackage>();
  const leftOut = new Map<string, string[]>();

  for (const entry of entries) {
    const [first] = entry;

    // The subject of a bill of materials is rarely in a registry.
    if (!first || first.isSubject || first.isRemark) {
      continue;
    }

    const namedPackage = packageOf(entry, datasource);

    if (namedPackage) {
      packages.set(`${namedPackage.datasource} ${namedPackage.packageName}`, namedPackage);
    } else {
      const reason = whyLeftOut(entry, datasource);
      leftOut.set(reason, [...(leftOut.get(reason) ?? []), first.text]);
    }
  }

  const ofLeft = Array.from(
    leftOut,
    ([reason, texts]) => `left out ${listed(texts, 5)}: ${reason}`,
  );

  if (packages.size === 0) {
    throw inputError(path, ['names no package of a registry', ...ofLeft].join('; '));
  }

  return { packages: [...packages.values()], notes: [...notes, ...ofLeft] };
}

function packageOf(entry: Entry, datasource: string | undefined): ListedPackage | undefined {
  const [{ name }] = entry as readonly [Entry[number]];
  if (datasource !== undefined && name !== undefined && /^\S+$/.test(name)) {
    return { datasource, packageName: name };
  }

  return entry
    .map(({ purl }) => purl && packageOfPurl(imagesOf(purl)[0] ?? purl))
    .filter((value) => value !== undefined)[0];
}

function whyLeftOut(entry: Entry, datasource: string | undefined): string {
  const type = entry.find(({ purl }) => purl)?.purl?.type;
  if (type !== undefined) {
    return `no datasource has packages of the type ${type}`;
  }

  if (entry.some(({ range }) => range !== undefined && /[:/]/.test(range))) {
    return 'it does not come from a registry';
  }

  return datasource === undefined
    ? 'no registry is named; a datasource before --from names one, such as npm'
    : 'no name of a package';
}

function packageOfPurl({ type, namespace, name }: Purl): ListedPackage | undefined {
  const packageSource = packageSources.find(
    ({ datasource, needsRegistry }) =>
      !needsRegistry && adapterOf({ datasource }).purlType === type,
  );

  const parts = namespace === undefined ? [name] : [namespace, name];

  return (
    packageSource && {
      datasource: packageSource.datasource,
      packageName: parts.join(type === 'maven' ? ':' : '/'),
    }
  );
}
