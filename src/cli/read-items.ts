import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { PublishedIndex } from '../ask/answers/published-index.ts';
import { isMarkedBill, isObject, readBillOfMaterials } from '../ask/texts/bill-of-materials.ts';
import { placeInFile, createPackageItems, type Entry, type ReadText } from '../ask/texts/items.ts';
import { longestTexts, readText } from '../ask/texts/read-text.ts';
import { dropUndefined } from '../core/model/objects.ts';
import {
  listImages,
  parseImage,
  parsePurl,
  listQualifierValues,
  type Purl,
} from '../core/model/purl.ts';
import { inputError, InputError, problem } from '../core/schemas/finding.ts';
import { cutStart, quote } from '../core/text/foreign-text.ts';
import { formatList } from '../core/text/wording.ts';
import { explainFileError, readRegularFile } from '../io/files/file-system.ts';
import { decode } from '../io/files/read-documents.ts';
import { findAdapter, packageSources } from '../record/sources/index.ts';
import { UsageError } from './command.ts';

const maxBytes = longestTexts.file;
const maxProblems = 20;

/**
 * Arguments with the name or the ending of a form that is read are files, existing or not: a new file must not change the meaning
 * of an argument.
 */
const fileForm =
  /^(?:-$|\/|\.\.?\/)|\.(?:json|xml|txt|csv|md|ya?ml|toml|tf|gradle|kts|lock(?:file)?)$|(?:^|\/)Dockerfile[^/]*$/i;

/** An argument of the command line: an item, or a file with its content. */
interface Argument {
  readonly argument: string;
  readonly text: string;
  readonly isFile?: true;
  /** The path from the current folder; absent for standard input. */
  readonly file?: string | undefined;
}

/** The statements of an argument. */
export interface ReadArgument extends ReadText {
  readonly argument: string;
  /** It is an item of the command line, not a file. */
  readonly isItem?: true;
}

/** The arguments of the command line, in order, with the content of each file. */
export async function readArguments(args: readonly string[]): Promise<Argument[]> {
  const inputs: Argument[] = [];
  for (const argument of args) {
    if (!fileForm.test(argument)) {
      inputs.push({ argument, text: checkItem(argument) });
      continue;
    }

    const file = argument === '-' ? undefined : relative(process.cwd(), resolve(argument));
    inputs.push({ argument, text: decode(await readInput(argument)), isFile: true, file });
  }
  return inputs;
}

/** The statements of the arguments about an index. Throws an `InputError` for a file without any. */
export async function readStatements(
  index: PublishedIndex,
  args: readonly Argument[],
): Promise<ReadArgument[]> {
  const statements: ReadArgument[] = [];

  for (const { argument, text, isFile, file } of args) {
    const result = await readText(index, text, longestTexts.file);
    throwProblems(argument, result.problems);
    if (isFile && result.entries.length === 0 && (result.others ?? 0) === 0) {
      throw inputError(argument, 'has no items; correct the program that writes it');
    }

    if (!isFile) {
      const entries = listEntries(argument, result);
      statements.push({ ...result, argument, isItem: true, entries, others: 0 });
      continue;
    }

    const entries = file ? result.entries.map((entry) => placeInFile(entry, file)) : result.entries;
    statements.push({ ...result, argument, entries });
  }

  return statements;
}

/** Each item has a result, also one of something else. */
function listEntries(argument: string, { entries }: ReadText): Entry[] {
  if (/^pkg:/i.test(argument)) {
    return [createPackageItems(argument)];
  }

  return entries.length === 0
    ? [[{ text: argument, name: argument }]]
    : entries.map((entry) => entry.map(({ line: _, ...item }) => item));
}

/** Throws a `UsageError` for a text that is neither a package URL nor a name with a version. */
function checkItem(argument: string): string {
  const isPackage = /^pkg:/i.test(argument);
  const isItem = isPackage
    ? createPackageItems(argument).length > 0
    : /^[^\s@].*(?:[@:=]\S|[\s/<>~^=-]v?\d)|^@.+@/s.test(argument);
  if (isItem) {
    return argument;
  }

  const got = `got ${quote(argument)}`;
  if (isPackage) {
    throw new UsageError(`expected a package URL such as pkg:npm/name@1.0.0; ${got}`);
  }

  throw new UsageError(
    `expected component@version, a package URL or a file; ${got}. A file is written as ./name`,
  );
}

function throwProblems(path: string, problems: readonly string[]): void {
  if (problems.length === 0) {
    return;
  }

  const findings = problems.slice(0, maxProblems).map((message) => problem(path, message));
  const more = problems.length - findings.length;
  if (more > 0) {
    findings.push(problem(path, `and ${more} more such problems`));
  }

  throw new InputError(findings);
}

/** A file of limited size; standard input for `-`. */
export async function readInput(path: string): Promise<Uint8Array> {
  if (path === '-') {
    return buffer(process.stdin);
  }

  try {
    if (statSync(path).size > maxBytes) {
      throw inputError(path, `expected a file of at most ${maxBytes / 2 ** 20} MiB`);
    }

    return readRegularFile(path);
  } catch (error) {
    const reason = explainFileError(error);
    throw reason === undefined ? error : inputError(path, `cannot be read: ${reason}`);
  }
}

export interface ListedPackage {
  datasource: string;
  packageName: string;
  /** A registry other than that of the datasource. */
  registryUrl?: string | undefined;
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
  const packages = new Map<string, ListedPackage>();
  const omissions = new Map<string, string[]>();
  for (const text of listTexts(path, decode(await readInput(path)))) {
    const result = readPackage(text);
    if (typeof result === 'string') {
      omissions.set(result, [...(omissions.get(result) ?? []), text]);
    } else {
      const { datasource, packageName, registryUrl } = result;
      packages.set(`${datasource} ${packageName} ${registryUrl}`, result);
    }
  }

  const notes = Array.from(
    omissions,
    ([reason, texts]) => `left out ${formatList(texts, maxEntries)}: ${reason}`,
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
    findPackage(listImages(purl)[0] ?? purl, findRegistry(text, purl)) ??
    (purl.type === 'helm'
      ? 'no https: address of its repository is named'
      : `no datasource has packages of the type ${purl.type}`)
  );
}

/** The registry that the reference of an image names. */
function findRegistry(text: string, { type }: Purl): string | undefined {
  const [repository = ''] = type === 'oci' ? listQualifierValues(text, 'repository_url') : [];
  const reference = isPurl(text) ? repository : text;
  const [, host] = /^([^/\s]*[.:][^/\s]*)\//.exec(reference) ?? [];
  return host === undefined || host === 'docker.io' ? undefined : `https://${host}`;
}

function findPackage(
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
    dropUndefined({
      datasource: packageSource.datasource,
      packageName: parts.join(type === 'maven' ? ':' : '/'),
      registryUrl,
    })
  );
}
