/** Reads the packages in a file: a bill of materials, or a list of package URLs and images. */
import { readBill } from '../ask/texts/bill-of-materials.ts';
import {
  isHub,
  listImageAddresses,
  parseImage,
  removeRegistry,
  resolveOci,
  splitAddress,
  splitReference,
} from '../core/model/images.ts';
import { purlTypes } from '../core/model/package-names.ts';
import {
  findQualifiers,
  isPurl,
  listQualifierValues,
  parsePurl,
  type Purl,
} from '../core/model/purl.ts';
import { inputError } from '../core/schemas/finding.ts';
import { cutStart } from '../core/text/foreign-text.ts';
import { formatList } from '../core/text/wording.ts';
import { findAdapter } from '../record/sources/index.ts';
import { addForms, type ListedPackage } from './add-arguments.ts';
import { readInput, throwProblems } from './read-arguments.ts';

const expectedForms =
  'expected a bill of materials as JSON (CycloneDX, SPDX 2), or package URLs and images, one a line';

/** The most entries to name for each reason. */
const maxEntries = 50;

/** Throws an InputError with all problems of the file, and for one without a package. `notes`: the entries left out, by reason. */
export async function readPackages(path: string) {
  const packages: ListedPackage[] = [];
  const omissions = new Map<string, string[]>();
  for (const text of listTexts(path, await readInput(path))) {
    const entry = readEntry(text);
    if ('omission' in entry) {
      const texts = omissions.get(entry.omission) ?? [];
      texts.push(text);
      omissions.set(entry.omission, texts);
    } else {
      packages.push(entry);
    }
  }

  const notes = Array.from(
    omissions,
    ([reason, texts]) => `left out ${formatList(texts, maxEntries)}: ${reason}`,
  );
  if (packages.length === 0) {
    const problems = [`names no package of a registry; ${expectedForms}`, ...notes];
    throw inputError(path, problems.join('; '));
  }

  return { packages, notes };
}

/** A line without a package: empty, `# in use`, or a key of YAML such as `images:` and `- name: agent`. */
const otherLine = /^(?:$|#|-?\s*[\w.-]+:(?:\s|$))/;

/** An image in a line of YAML, such as `- image: "nginx:1.27"`. */
const imageLine = /^(?:-\s*)?image:\s*(["']?)([^\s"']+)\1(?:\s+#.*)?$/;

/** The entries of a bill of materials, by their package URLs where they state some; else the lines that may name packages. */
function listTexts(path: string, content: string): string[] {
  const bill = readBill(content);
  if (!bill) {
    if (/^\s*[{[]/.test(content)) {
      throw inputError(path, expectedForms);
    }

    const lines = content.split('\n').map((line) => cutStart(line).trim());
    return lines
      .map((line) => imageLine.exec(line)?.[2] ?? line)
      .filter((line) => !otherLine.test(line));
  }

  throwProblems(path, bill.problems);

  // The subject of a bill of materials is rarely in a registry.
  const packages = bill.entries.filter(([item]) => !item.isSubject);
  return packages.map((entry) => (entry.find(({ text }) => isPurl(text)) ?? entry[0]).text);
}

/** The package of a package URL or an image, with the first datasource of its type, or why there is none to add. */
function readEntry(text: string): ListedPackage | { omission: string } {
  const purl = isPurl(text) ? parsePurl(text) : parseImage(text)?.purl;
  if (!purl) {
    return { omission: 'not a package URL, and not an image with a tag or a path' };
  }

  const [{ type, namespace, name }] = resolveOci(purl);
  const form = addForms.find(({ datasource }) => purlTypes[datasource] === type);
  if (!form) {
    return { omission: `no datasource has packages of the type ${type}` };
  }

  const { datasource, needsRegistry } = form;
  const parts = namespace === undefined ? [name] : [namespace, name];
  const path = parts.join(type === 'maven' ? ':' : '/');
  const image = type === 'docker' ? findImage(text, purl) : undefined;
  const [stated] = listQualifierValues(findQualifiers(text), 'repository_url');
  const address = stated ?? image?.host;
  const registryUrl = address && findRegistry(datasource, address);
  // The default registry may have another package of that name.
  if (registryUrl === undefined ? needsRegistry : !registryUrl.startsWith('https://')) {
    return { omission: 'no https: address of its repository is named' };
  }

  let packageName = path;
  if (image) {
    packageName = registryUrl === undefined ? removeRegistry(path) : image.repository;
  }

  return {
    datasource,
    packageName,
    // A stated default registry is kept as an undefined address, so that --registry-url does not replace it.
    ...(address === undefined ? {} : { registryUrl }),
  };
}

/** The host and the repository of an image, as its text has them. Only at Docker Hub may a name lack its `library/`. */
function findImage(text: string, purl: Purl) {
  return isPurl(text) ? listImageAddresses(purl)[0] : splitAddress(splitReference(text).path);
}

/** Other hosts of default registries by which package URLs and images name them, by datasource. */
const otherHosts: ReadonlyMap<string, readonly string[]> = new Map([
  ['maven', ['repo1.maven.org']],
  ['nuget', ['nuget.org', 'www.nuget.org']],
  ['crate', ['crates.io']],
]);

/** The registry at an address, whose `https://` some tools leave out: of an image its host. Undefined for the default registry. */
function findRegistry(datasource: string, address: string): string | undefined {
  const text = /^\w+:\/\//.test(address)
    ? address.replace(/^https:/i, 'https:')
    : `https://${address}`;
  const url = URL.parse(text);
  if (url && isDefaultHost(datasource, url.host)) {
    return undefined;
  }

  const isOfImage = datasource === 'docker' && url?.protocol !== 'http:';
  return url && isOfImage ? `https://${url.host}` : text;
}

/** Whether packages without an address are at a host. The host of another datasource may have other packages of that name. */
function isDefaultHost(datasource: string, host: string): boolean {
  if (datasource === 'docker') {
    return isHub(host);
  }

  const { defaultRegistry } = findAdapter({ datasource });
  const isOther = otherHosts.get(datasource)?.includes(host) === true;
  return isOther || (defaultRegistry !== undefined && new URL(defaultRegistry).host === host);
}
