import pLimit from 'p-limit';
import { createSourceId } from '../core/schemas/definition/source-ids.ts';
import { InputError, notice, problem, type Finding, inputError } from '../core/schemas/finding.ts';
import { endSentence, formatCount, formatList } from '../core/text/wording.ts';
import { requireSiteConfig } from '../io/files/settings-files.ts';
import { formatDocument } from '../io/files/save.ts';
import { HttpError } from '../io/http/error.ts';
import { deriveComponentName, type RequiredKey } from '../record/add/draft-definition.ts';
import { openUpstreams } from '../run/upstreams.ts';
import { addOne, type AddContext, type AddedComponent } from './add-one.ts';
import { listProductNames } from './add-products.ts';
import {
  checkManyOptions,
  describeRenaming,
  readSinglePackage,
  type AddArguments,
  type ListedPackage,
} from './add-request.ts';
import { findStoppedStatus, UsageError, type Invocation } from './command.ts';
import { listPackages } from './packages-to-add.ts';
import { readUsedNames } from './used-names.ts';

interface AddInput extends Omit<Invocation, 'arguments' | 'options'>, AddArguments {}

interface AddRun extends AddInput, AddContext {}

/** The options for values that a registry may not state. */
const keyOptions: Readonly<Record<RequiredKey, string>> = {
  homepage: '--homepage URL',
  changelogUrl: '--changelog URL',
};

/** Defines and gathers components. Also for the first packages of a new index. */
export async function addPackages(input: AddInput): Promise<number> {
  const singlePackage = readSinglePackage(input);
  if (!singlePackage) {
    checkManyOptions(input);
  }

  const { root, env } = input;
  const usedNames = readUsedNames(root);
  const upstreams = openUpstreams(input, requireSiteConfig(root));
  const canAsk = singlePackage !== undefined && process.stdin.isTTY && !env['CI'];
  const context = { ...input, usedNames, upstreams, canAsk };

  try {
    return await (singlePackage ? addSingle(context, singlePackage) : addAll(context));
  } finally {
    await upstreams.http.close();
  }
}

async function addSingle(context: AddRun, entry: ListedPackage): Promise<number> {
  const { report, day } = context;
  const result = await addOne(context, entry);
  if ('missing' in result) {
    const { subject, missing, reason, notes } = result;
    const options = missing.map((key) => keyOptions[key]).join(' ');
    report.finding(...notes.map((message) => notice(subject, message)));
    throw inputError(subject, `${endSentence(reason)} Give ${options}. Nothing was written.`);
  }

  const { file, isWritten, definition, notes, findings } = result;
  const outcome = isWritten ? 'written' : 'would be written';
  report.finding(...findings);
  report.print(`${file}: ${outcome}, from the answer of ${entry.datasource}`);
  if (!isWritten) {
    report.print(...formatDocument(definition).trimEnd().split('\n'));
  }

  report.print(...notes, describeAdded(result));
  if (entry.datasource === 'static') {
    report.print(`Add later releases to "releases" in ${file}`);
  }
  if (isWritten) {
    report.print(`Look at ${file}, then: npx release-index start`);
  }

  report.document({ verb: 'add', asOf: day, ...result });
  return 0;
}

async function addAll(context: AddRun): Promise<number> {
  const { options, report, words, usedNames, upstreams } = context;
  const { from, all, 'registry-url': registryUrl } = options;
  const [datasource = '', ...packageNames] = words;
  const names = all === undefined ? packageNames : await listProductNames(all, upstreams.http);
  const packages = await listPackages({ datasource, names, from, registryUrl }, report, upstreams);
  return addMany(context, {
    packages,
    owners: usedNames.owners,
    isDry: options['dry-run'] === true,
    registryUrl,
    add: (entry) => addListed(context, entry),
  });
}

/** Adds one of several packages, for which no option can give missing values. */
async function addListed(context: AddContext, entry: ListedPackage): Promise<AddedComponent> {
  const result = await addOne(context, entry);
  if (!('missing' in result)) {
    return result;
  }

  const { subject, missing, reason } = result;
  const keys = missing.map((key) => `defaults.${key}`).join(' and ');
  throw inputError(
    subject,
    `${endSentence(reason)} Set ${keys} in site/site.json. Nothing was written.`,
  );
}

function describeAdded({ component, isWritten, releases, latest }: AddedComponent): string {
  const recorded = `${formatCount(releases, 'release')}${isWritten ? '' : ' would be'} recorded`;
  return `${component}: ${recorded}${latest === undefined ? '' : `; the latest is ${latest}`}`;
}

/** The most names in a line. */
const maxNames = 50;

/** Packages looked up at a time. The HTTP client still limits the requests to each host. */
const maxLookups = 8;

interface PackagesToAdd {
  packages: readonly ListedPackage[];
  /** The component of each source of the index, by the id of the source. */
  owners: ReadonlyMap<string, string>;
  isDry: boolean;
  /** The registry of packages that name none. */
  registryUrl?: string | undefined;
  add(entry: ListedPackage): Promise<AddedComponent>;
}

/** Adds packages. Skips packages that the index already has, goes on after a failure, and reports all problems together. */
export async function addMany(
  invocation: Pick<Invocation, 'report' | 'signal' | 'day'>,
  request: PackagesToAdd,
): Promise<number> {
  const { report, signal, day } = invocation;
  const { packages, owners, isDry } = request;
  const existing: string[] = [];
  const newPackages: ListedPackage[] = [];
  for (const entry of packages) {
    const owner = owners.get(createSourceId(entry));
    if (owner === undefined) {
      newPackages.push(entry);
    } else {
      existing.push(owner);
    }
  }

  const { components, failures } = await addEach(newPackages, request, invocation);
  const findings = joinAlike([
    ...components.flatMap((component) => component.findings),
    ...describeFailures(failures),
  ]);
  const outcome = `${isDry ? 'would add' : 'added'} ${components.length} of ${formatCount(packages.length, 'package')}`;
  report.finding(...findings);
  report.print(
    ...components.map(describeAdded),
    ...summarise(components, existing),
    `add: ${outcome}; ${existing.length} in the index before, ${failures.length} failed.`,
  );
  if (!isDry && components.length > 0) {
    report.print('Look at components/, then: npx release-index start');
  }

  report.document({ verb: 'add', asOf: day, components, existing, findings });

  if (signal.aborted) {
    return findStoppedStatus(signal);
  }

  return failures.length > 0 ? 1 : 0;
}

/** Adds packages, some at a time. After a signal, it starts no further one. */
async function addEach(
  packages: readonly ListedPackage[],
  request: PackagesToAdd,
  { report, signal }: Pick<Invocation, 'report' | 'signal'>,
) {
  const byName = Map.groupBy(packages, ({ packageName }) => deriveComponentName(packageName));
  let finished = 0;
  const results = await pLimit(maxLookups).map(packages, async (entry) => {
    if (signal.aborted) {
      return undefined;
    }

    const result = await tryToAdd(entry, byName, request);
    finished += 1;
    report.progress(`add ${finished}/${packages.length} ${entry.packageName}`);
    return result;
  });

  const components: AddedComponent[] = [];
  const failures: Failure[] = [];
  for (const result of results) {
    if (result && 'error' in result) {
      failures.push(result);
    } else if (result) {
      components.push(result);
    }
  }

  components.sort((a, b) => (a.component < b.component ? -1 : 1));
  return { components, failures };
}

interface Failure {
  packageName: string;
  error: InputError | UsageError;
}

type PackagesByName = ReadonlyMap<string | undefined, readonly ListedPackage[]>;

/** Adds a package, unless an earlier one makes the same name. Throws only for a bug. */
async function tryToAdd(
  entry: ListedPackage,
  byName: PackagesByName,
  { registryUrl, add }: PackagesToAdd,
): Promise<AddedComponent | Failure> {
  try {
    rejectRepeatedName(entry, byName, registryUrl);
    return await add(entry);
  } catch (error) {
    if (error instanceof InputError || error instanceof UsageError) {
      return { packageName: entry.packageName, error };
    }

    throw error;
  }
}

/** Throws an InputError for a package after the first that makes its name. */
function rejectRepeatedName(
  entry: ListedPackage,
  byName: PackagesByName,
  registryUrl: string | undefined,
): void {
  const { packageName } = entry;
  const name = deriveComponentName(packageName);
  const [first = entry] = byName.get(name) ?? [];
  if (name === undefined || first === entry) {
    return;
  }

  const isSameName = first.packageName === packageName;
  const owner = isSameName ? `the package of ${first.datasource}` : first.packageName;
  const command = describeRenaming({ registryUrl, ...entry }, name);
  throw inputError(packageName, `makes the name ${name}, as ${owner} does. To add it: ${command}`);
}

/** The problems of packages, then those of hosts, which concern all of their packages. */
function describeFailures(failures: readonly Failure[]): Finding[] {
  const problems: Finding[] = [];
  const silences = new Map<string, { reason: string; packageNames: string[] }>();

  for (const { packageName, error } of failures) {
    const { cause } = error;
    if (cause instanceof HttpError && cause.kind === 'trouble') {
      const { host } = new URL(cause.url);
      const silence = silences.get(host) ?? { reason: cause.message, packageNames: [] };
      silence.packageNames.push(packageName);
      silences.set(host, silence);
    } else if (error instanceof InputError) {
      problems.push(...error.findings);
    } else {
      problems.push(problem(packageName, error.message));
    }
  }

  problems.sort((a, b) => (a.subject < b.subject ? -1 : 1));
  for (const [host, { reason, packageNames }] of silences) {
    const names = formatList(packageNames.sort(), maxNames);
    problems.push(problem(host, `does not answer. Not added: ${names}. ${reason}`));
  }
  return problems;
}

/** The first of findings of one kind, or with one message but for the name of the package, with the subjects of the others. */
function joinAlike(findings: readonly Finding[]): Finding[] {
  const groups = Map.groupBy(findings, ({ level, kind, subject, message }) => {
    const [name = ''] = subject.split(' ');
    return level === 'error' ? message : (kind ?? message.replaceAll(name, '…'));
  });

  return Array.from(groups.values(), ([first, ...others]) => {
    if (others.length === 0) {
      return first;
    }

    const subjects = others.map(({ subject }) => subject);
    const message = `${endSentence(first.message)} Likewise: ${formatList(subjects, 5)}`;
    return { ...first, message };
  });
}

/** The notes of all components, and the packages that the index had. Notes that differ only in quoted values are one, with their number. */
function summarise(components: readonly AddedComponent[], existing: readonly string[]): string[] {
  const notes = components.flatMap((component) => component.notes);
  const groups = Map.groupBy(notes, (note) => note.replaceAll(/"[^"]*"/g, ''));
  const lines = Array.from(groups.values(), (group) => `${group[0]} (${group.length})`);

  return existing.length > 0
    ? [...lines, `in the index already: ${formatList(existing, maxNames)}`]
    : lines;
}
