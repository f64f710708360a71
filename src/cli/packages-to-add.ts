import { readBill } from '../ask/texts/bill-of-materials.ts';
import { dropUndefined } from '../core/model/objects.ts';
import { parseImage, removeRegistry, resolveOci, splitAddress } from '../core/model/images.ts';
import { purlTypes } from '../core/model/package-names.ts';
import { findQualifiers, isPurl, listQualifierValues, parsePurl } from '../core/model/purl.ts';
import { inputError, notice } from '../core/schemas/finding.ts';
import { cutStart } from '../core/text/foreign-text.ts';
import { formatList } from '../core/text/wording.ts';
import { datasources, findAdapter } from '../record/sources/index.ts';
import type { RunReport } from '../run/run-context.ts';
import type { Upstreams } from '../run/upstreams.ts';
import { addForms, type AddArguments, type ListedPackage } from './add-arguments.ts';
import { UsageError } from './command.ts';
import { listProductNames } from './component-request.ts';
import { readInput, throwProblems } from './read-arguments.ts';
import { rejectUpstream } from './add-report.ts';
import { createPackageId } from './used-names.ts';

interface PackagesContext extends AddArguments {
  report: RunReport;
  upstreams: Upstreams;
}

/** The named packages, the packages of scopes such as `@example/*`, all products of an instance, and those that a file lists. */
export async function listPackages(context: PackagesContext): Promise<ListedPackage[]> {
  const { options, report, upstreams } = context;
  const { from: path, all, 'registry-url': registryUrl } = options;
  const [datasource = '', ...words] = context.arguments;
  const names = all === undefined ? words : await listProductNames(all, upstreams.http);
  const packages: ListedPackage[] = [];

  for (const packageName of names) {
    const [, scope] = /^(@[^/]+)\/\*$/.exec(packageName) ?? [];
    const listed =
      scope === undefined
        ? [packageName]
        : await listScope(scope, datasource, registryUrl, upstreams);
    packages.push(...listed.map((name) => ({ datasource, packageName: name })));
  }

  if (path !== undefined) {
    const file = await readPackages(path);
    packages.push(...file.packages);
    report.finding(...file.notes.map((message) => notice(path, message)));
  }

  return dropRepeated(packages.map((entry) => dropUndefined({ registryUrl, ...entry })));
}

/** Each package of a registry once, at its first place. */
function dropRepeated(packages: readonly ListedPackage[]): ListedPackage[] {
  return Array.from(Map.groupBy(packages, createPackageId).values(), ([first]) => first);
}

/** The names of the packages of a scope such as `@example`. Throws an error with a remedy where its registry cannot list them. */
async function listScope(
  scope: string,
  datasource: string,
  registryUrl: string | undefined,
  upstreams: Upstreams,
): Promise<string[]> {
  const adapter = findAdapter({ datasource });
  const subject = `${scope}/*`;
  const remedy = 'Name the packages.';
  if (!adapter.listScope) {
    throw new UsageError(`${subject}: ${datasource} has no scopes. ${remedy}`);
  }

  const names = await adapter
    .listScope(scope, registryUrl, upstreams)
    .catch(rejectUpstream(subject, remedy));
  if (names.length === 0) {
    throw inputError(subject, `the registry lists no package of it. ${remedy}`);
  }

  return names;
}

const expectedForms =
  'expected a bill of materials as JSON (CycloneDX, SPDX 2), or package URLs and images, one a line';

/** The most entries to name for each reason. */
const maxEntries = 50;

/**
 * The packages of a bill of materials by their package URLs, or of a list of package URLs and images, one a line. Throws an
 * InputError with all problems of the file. `notes`: about entries that no datasource has.
 */
export async function readPackages(path: string) {
  const packages: ListedPackage[] = [];
  const omissions = new Map<string, string[]>();
  for (const text of listTexts(path, await readInput(path))) {
    const statedPackage = readStatedPackage(text);
    const listed = statedPackage && findPackage(statedPackage);
    if (listed) {
      packages.push(listed);
    } else {
      const reason = explainOmission(statedPackage);
      omissions.set(reason, [...(omissions.get(reason) ?? []), text]);
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

  return { packages: dropRepeated(packages), notes };
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

function explainOmission(stated: StatedPackage | undefined): string {
  if (!stated) {
    return 'not a package URL, and not an image with a tag or a path';
  }

  return Object.values(purlTypes).includes(stated.type)
    ? 'no https: address of its repository is named'
    : `no datasource has packages of the type ${stated.type}`;
}

/** A package of a file. */
interface StatedPackage {
  /** The type of its package URL. */
  type: string;
  packageName: string;
  /** The address of its registry or repository, if it states one. */
  address: string | undefined;
}

/** The package in a package URL or an image; undefined for another text. */
function readStatedPackage(text: string): StatedPackage | undefined {
  const purl = isPurl(text) ? parsePurl(text) : parseImage(text)?.purl;
  if (!purl) {
    return undefined;
  }

  const [{ type, namespace, name }] = resolveOci(purl);
  const parts = namespace === undefined ? [name] : [namespace, name];
  const path = parts.join(type === 'maven' ? ':' : '/');
  const [address] = listQualifierValues(findQualifiers(text), 'repository_url');
  if (type !== 'docker') {
    return { type, packageName: path, address };
  }

  const { host } = splitAddress(isPurl(text) ? path : text);
  return { type, packageName: removeRegistry(path), address: address ?? host };
}

/**
 * The package of a datasource. Undefined where no datasource has it, where the one that has it needs an address, and where the
 * stated address is not one that a definition can name: the default registry may have another package of that name.
 */
function findPackage({ type, packageName, address }: StatedPackage): ListedPackage | undefined {
  const registryUrl = address && findRegistry(type, address);
  if (registryUrl?.startsWith('https://') === false) {
    return undefined;
  }

  const packageSource = addForms.find(
    ({ datasource, needsRegistry }) =>
      (registryUrl !== undefined || !needsRegistry) && purlTypes[datasource] === type,
  );
  // A stated default registry is kept as an undefined address, so that --registry-url does not replace it.
  const registry = address === undefined ? {} : { registryUrl };
  return packageSource && { datasource: packageSource.datasource, packageName, ...registry };
}

/** Other hosts of default registries by which package URLs and images name them, by type. */
const otherHosts: Readonly<Record<string, readonly string[]>> = {
  docker: ['docker.io', 'index.docker.io', 'registry-1.docker.io'],
  maven: ['repo1.maven.org'],
  nuget: ['nuget.org', 'www.nuget.org'],
  cargo: ['crates.io'],
};

/** The registry at an address, whose `https://` some tools leave out: of an image its host. Undefined for a default registry. */
function findRegistry(type: string, address: string): string | undefined {
  const text = /^\w+:\/\//.test(address) ? address : `https://${address}`;
  const url = URL.parse(text);
  if (url && isDefaultHost(type, url.host)) {
    return undefined;
  }

  return url && type === 'docker' ? `https://${url.host}` : text;
}

/** Whether a type's packages without an address are at a host. The host of another type may have other packages of that name. */
function isDefaultHost(type: string, host: string): boolean {
  const isOfType = datasources.some(
    ({ datasource, defaultRegistry }) =>
      purlTypes[datasource] === type && defaultRegistry && new URL(defaultRegistry).host === host,
  );
  return isOfType || otherHosts[type]?.includes(host) === true;
}
