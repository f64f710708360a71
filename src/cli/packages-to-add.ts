import type { Entry, Item } from '../ask/texts/items.ts';
import { imagesOf, qualifierValues, type Purl } from '../core/model/purl.ts';
import { defined, listed } from '../core/text/text.ts';
import { adapterOf, packageSources } from '../record/sources/index.ts';
import { readFileText, throwProblems } from './read-items.ts';
import { inputError } from '../core/schemas/finding.ts';

export interface ListedPackage {
  datasource: string;
  packageName: string;
  /** A registry other than that of the datasource. */
  registryUrl?: string | undefined;
}

/** So many entries are named of each reason. */
const shownEntries = 50;

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
      const { datasource: kind, packageName, registryUrl } = namedPackage;
      packages.set(`${kind} ${packageName} ${registryUrl}`, namedPackage);
    } else {
      const reason = whyLeftOut(entry, datasource);
      leftOut.set(reason, [...(leftOut.get(reason) ?? []), first.text]);
    }
  }

  const ofLeft = Array.from(
    leftOut,
    ([reason, texts]) => `left out ${listed(texts, shownEntries)}: ${reason}`,
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

  return entry.map(packageOfItem).filter((value) => value !== undefined)[0];
}

function packageOfItem(item: Item): ListedPackage | undefined {
  const { purl } = item;
  return purl && packageOfPurl(imagesOf(purl)[0] ?? purl, registryOf(item));
}

/** The registry that the document names, or the reference of an image. */
function registryOf({ registryUrl, purl, text, isImage }: Item): string | undefined {
  if (registryUrl !== undefined) {
    return registryUrl;
  }

  const [repository] = qualifierValues(text, 'repository_url');
  const reference = purl?.type === 'oci' ? repository : isImage && text;
  const [, host] = /^([^/\s]*[.:][^/\s]*)\//.exec(reference || '') ?? [];

  return host === undefined || host === 'docker.io' ? undefined : `https://${host}`;
}

function whyLeftOut(entry: Entry, datasource: string | undefined): string {
  const type = entry.find(({ purl }) => purl)?.purl?.type;
  if (type === 'helm') {
    return 'no https: address of its repository is named';
  }

  if (type !== undefined) {
    return `no datasource has packages of the type ${type}`;
  }

  const [{ text }] = entry as readonly [Item];

  if (text.startsWith('-')) {
    return 'an option, not a package';
  }

  if (text.includes('$')) {
    return 'it depends on a variable';
  }

  if (
    /:\/\/|^\.{0,2}\//.test(text) ||
    entry.some(({ range }) => range !== undefined && /[:/]/.test(range))
  ) {
    return 'it does not come from a registry';
  }

  return datasource === undefined
    ? 'no registry is named; a datasource before --from names one, such as npm'
    : 'no name of a package';
}

function packageOfPurl(
  { type, namespace, name }: Purl,
  registryUrl: string | undefined,
): ListedPackage | undefined {
  const packageSource = packageSources.find(
    ({ datasource, needsRegistry }) =>
      (registryUrl !== undefined || !needsRegistry) && adapterOf({ datasource }).purlType === type,
  );

  const parts = namespace === undefined ? [name] : [namespace, name];

  return (
    packageSource &&
    defined({
      datasource: packageSource.datasource,
      packageName: parts.join(type === 'maven' ? ':' : '/'),
      registryUrl,
    })
  );
}
