import { isMarkedBill, readBillOfMaterials } from '../ask/texts/bill-of-materials.ts';
import { isObject } from '../ask/texts/bill-of-materials.ts';
import { defined } from '../core/model/objects.ts';
import {
  listImages,
  parseImage,
  parsePurl,
  qualifierValues,
  type Purl,
} from '../core/model/purl.ts';
import { inputError } from '../core/schemas/finding.ts';
import { cutStart } from '../core/text/foreign-text.ts';
import { listed } from '../core/text/wording.ts';
import { decode } from '../io/files/read-documents.ts';
import { findAdapter, packageSources } from '../record/sources/index.ts';
import { readInput, throwProblems } from './read-items.ts';

export interface ListedPackage {
  datasource: string;
  packageName: string;
  /** A registry other than that of the datasource. */
  registryUrl?: string | undefined;
}

const expectedForms =
  'expected a bill of materials as JSON (CycloneDX, SPDX 2), or package URLs and images, one a line';

/** So many entries are named of each reason. */
const shownEntries = 50;

interface ListedPackages {
  packages: ListedPackage[];
  /** On entries that no known datasource has. */
  notes: string[];
}

/**
 * The packages of a bill of materials by their package URLs, or of a list of package URLs and images, one a line. Throws an
 * InputError with all problems of the file.
 */
export async function readPackages(path: string): Promise<ListedPackages> {
  const packages = new Map<string, ListedPackage>();
  const leftOut = new Map<string, string[]>();
  for (const text of listTexts(path, decode(await readInput(path)))) {
    const listedPackage = readPackage(text);
    if (typeof listedPackage === 'string') {
      leftOut.set(listedPackage, [...(leftOut.get(listedPackage) ?? []), text]);
    } else {
      const { datasource, packageName, registryUrl } = listedPackage;
      packages.set(`${datasource} ${packageName} ${registryUrl}`, listedPackage);
    }
  }

  const notes = Array.from(
    leftOut,
    ([reason, texts]) => `left out ${listed(texts, shownEntries)}: ${reason}`,
  );
  if (packages.size === 0) {
    throw inputError(
      path,
      [`names no package of a registry; ${expectedForms}`, ...notes].join('; '),
    );
  }

  return { packages: [...packages.values()], notes };
}

/** The entries of a bill of materials, by their package URLs where they state some; else the lines, without keys of YAML. */
function listTexts(path: string, content: string): string[] {
  if (!/^\s*[{[]/.test(content)) {
    return content
      .split('\n')
      .map((line) => cutStart(line).trim())
      .filter((line) => line !== '' && !/^(?:#|-?\s*[\w.-]+:(?:\s|$))/.test(line));
  }

  const document = parseJson(content);
  if (!isObject(document) || !isMarkedBill(document)) {
    throw inputError(path, expectedForms);
  }

  const { entries, problems } = readBillOfMaterials(document, () => undefined);
  throwProblems(path, problems);

  // The subject of a bill of materials is rarely in a registry.
  return entries
    .filter(([first]) => first !== undefined && !first.isSubject)
    .map((entry) => (entry.find(({ text }) => isPurl(text)) ?? entry[0]!).text);
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

function isPurl(text: string): boolean {
  return /^pkg:/i.test(text);
}

/** A package, or why it is left out. */
function readPackage(text: string): ListedPackage | string {
  const purl = isPurl(text) ? parsePurl(text) : parseImage(text)?.purl;
  if (!purl) {
    return 'not a package URL, and not an image with a tag or a path';
  }

  return (
    listPackage(listImages(purl)[0] ?? purl, findRegistry(text, purl)) ??
    (purl.type === 'helm'
      ? 'no https: address of its repository is named'
      : `no datasource has packages of the type ${purl.type}`)
  );
}

/** The registry that the reference of an image names. */
function findRegistry(text: string, { type }: Purl): string | undefined {
  const [repository = ''] = type === 'oci' ? qualifierValues(text, 'repository_url') : [];
  const reference = isPurl(text) ? repository : text;
  const [, host] = /^([^/\s]*[.:][^/\s]*)\//.exec(reference) ?? [];
  return host === undefined || host === 'docker.io' ? undefined : `https://${host}`;
}

function listPackage(
  { type, namespace, name }: Purl,
  registryUrl: string | undefined,
): ListedPackage | undefined {
  const packageSource = packageSources.find(
    ({ datasource, needsRegistry }) =>
      (registryUrl !== undefined || !needsRegistry) &&
      findAdapter({ datasource }).purlType === type,
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
