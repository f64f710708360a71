import pLimit from 'p-limit';
import { createSourceId } from '../core/schemas/definition/source.ts';
import { InputError, notice, problem, type Finding, inputError } from '../core/schemas/finding.ts';
import { formatCount, formatList } from '../core/text/wording.ts';
import { HttpError } from '../io/http/error.ts';
import { deriveComponentName } from '../record/add/draft-definition.ts';
import { findAdapter } from '../record/sources/index.ts';
import type { openUpstreams, RunReport } from '../run/run-context.ts';
import { rejectUpstream } from './add-products.ts';
import { describeRenaming } from './add-request.ts';
import { findStoppedStatus, UsageError, type Invocation } from './command.ts';
import { readPackages, type ListedPackage } from './read-items.ts';

/** The result of `add` for one package. */
export interface AddedComponent {
  component: string;
  file: string;
  isWritten: boolean;
  /** As it is written. */
  definition: object;
  /** The origin of values in the definition. */
  notes: readonly string[];
  releases: number;
  latest?: string | undefined;
  findings: readonly Finding[];
  /** Its sources without release days. */
  undated: readonly Finding[];
}

export function describeAdded({ component, isWritten, releases, latest }: AddedComponent): string {
  const recorded = `${formatCount(releases, 'release')}${isWritten ? '' : ' would be'} recorded`;
  return `${component}: ${recorded}${latest === undefined ? '' : `; the latest is ${latest}`}`;
}

/** The most names in a line. */
const maxNames = 50;

/** Packages looked up at a time. The HTTP client still limits the requests to each host. */
const maxLookups = 8;

interface PackagesToAdd {
  readonly packages: readonly ListedPackage[];
  /** The component of each source of the index, by the id of the source. */
  readonly owners: ReadonlyMap<string, string>;
  readonly isDry: boolean;
  /** The registry of packages that name none. */
  readonly registryUrl?: string | undefined;
  add(entry: ListedPackage): Promise<AddedComponent>;
}

/** Adds packages. Skips packages that the index already has, goes on after a failure, and reports all problems together. */
export async function addMany(
  { report, signal, day }: Pick<Invocation, 'report' | 'signal' | 'day'>,
  { packages, owners, isDry, registryUrl, add }: PackagesToAdd,
): Promise<number> {
  const newPackages = packages.filter((entry) => !owners.has(createSourceId(entry)));
  const existing = packages
    .map((entry) => owners.get(createSourceId(entry)))
    .filter((value) => value !== undefined);
  const problems: Finding[] = [];
  const components: AddedComponent[] = [];
  const limit = pLimit(maxLookups);
  let finished = 0;

  const silentHosts = new Map<string, SilentHost>();

  const addEntry = async (entry: ListedPackage) => {
    const { packageName } = entry;

    if (signal.aborted) {
      return;
    }

    const name = deriveComponentName(packageName);
    const first = newPackages.find((earlier) => deriveComponentName(earlier.packageName) === name);

    try {
      if (name !== undefined && first && first.packageName !== packageName) {
        const command = describeRenaming({ registryUrl, ...entry }, name);
        const message = `makes the name ${name}, as ${first.packageName} does. To add it: ${command}`;
        throw inputError(packageName, message);
      }

      components.push(await add(entry));
    } catch (error) {
      const silence = findSilence(error);
      if (silence) {
        const packages = silentHosts.get(silence.host)?.packages ?? [];
        silentHosts.set(silence.host, { ...silence, packages: [...packages, packageName] });
      } else {
        problems.push(...listProblems(error, packageName));
      }
    }

    finished += 1;
    report.progress(`add ${finished}/${newPackages.length} ${packageName}`);
  };

  await Promise.all(newPackages.map((entry) => limit(() => addEntry(entry))));
  components.sort((a, b) => (a.component < b.component ? -1 : 1));
  problems.sort((a, b) => (a.subject < b.subject ? -1 : 1));

  const silentPackages = [...silentHosts.values()].flatMap(({ packages: names }) => names);
  const failures = problems.length + silentPackages.length;

  problems.push(...Array.from(silentHosts.values(), describeSilence));

  const findings = joinEqual([...joinUndated(components), ...problems]);
  report.finding(...findings);
  report.print(...components.map(describeAdded), ...summarise(components, existing));

  const outcome = `${isDry ? 'would add' : 'added'} ${components.length} of ${formatCount(packages.length, 'package')}`;
  report.print(`add: ${outcome}; ${existing.length} in the index before, ${failures} failed.`);

  if (!isDry && components.length > 0) {
    report.print('Look at components/, then: npx release-index start');
  }

  report.document({ verb: 'add', asOf: day, components, existing, findings });

  if (signal.aborted) {
    return findStoppedStatus(signal);
  }

  return problems.length > 0 ? 1 : 0;
}

interface Silence {
  readonly host: string;
  readonly reason: string;
}

/** The problems of a wrong input. Throws any other error again. */
function listProblems(error: unknown, packageName: string): readonly Finding[] {
  if (error instanceof InputError) {
    return error.findings;
  }
  if (error instanceof UsageError) {
    return [problem(packageName, error.message)];
  }

  throw error;
}

interface SilentHost extends Silence {
  readonly packages: string[];
}

function describeSilence({ host, packages, reason }: SilentHost): Finding {
  const names = formatList(packages.toSorted(), maxNames);
  return problem(host, `does not answer. Not added: ${names}. ${reason}`);
}

/** All findings, with sources without release days in one line where they are several. */
function joinUndated(components: readonly AddedComponent[]): readonly Finding[] {
  const findings = components.flatMap((result) => result.findings);
  const undated = components.flatMap((result) => result.undated);
  if (undated.length < 2) {
    return [...findings, ...undated];
  }

  const subjects = undated.map(({ subject }) => subject);
  const message = `no release days are stated (${undated.length}): no end of support can be computed. Add stated policies, or days`;
  return [...findings, notice(formatList(subjects, 5), message)];
}

/** One finding for equal messages, with all subjects. Names in warnings may differ; those of errors are in their remedies. */
function joinEqual(findings: readonly Finding[]): Finding[] {
  const causes = Map.groupBy(findings, ({ level, subject, message }) => {
    const [name = ''] = subject.split(' ');
    return level === 'error' ? message : message.replaceAll(name, '…');
  });
  return Array.from(causes.values(), (group) => {
    const subjects = group.map(({ subject }) => subject);
    return { ...group[0]!, subject: formatList(subjects, 5) };
  });
}

/** The host of an error that passes with time, and concerns all of its packages. */
function findSilence(error: unknown): Silence | undefined {
  const { cause } = error instanceof InputError ? error : {};
  return cause instanceof HttpError && cause.kind === 'trouble'
    ? { host: new URL(cause.url).host, reason: cause.message }
    : undefined;
}

/** Notes that differ only in quoted values once, with their values and their count. */
function summarise(components: readonly AddedComponent[], existing: readonly string[]): string[] {
  const groups = Map.groupBy(
    components.flatMap(({ notes }) => notes),
    (note) => note.replaceAll(quotedText, '"…"'),
  );

  const lines = Array.from(groups, ([form, notes]) => {
    const values = notes.map((note) => note.match(quotedText) ?? []);
    let position = 0;
    const sentence = form.replaceAll('"…"', () => {
      const column = new Set(values.map((row) => row[position] ?? ''));
      position += 1;
      return formatList([...column], maxValues);
    });
    return `${sentence} (${notes.length})`;
  });

  return existing.length > 0
    ? [...lines, `in the index already: ${formatList(existing, maxNames)}`]
    : lines;
}

const quotedText = /"[^"]*"/g;

/** The most values of equal notes in a line. */
const maxValues = 3;

interface PackageRequest {
  readonly datasource: string;
  /** Names of packages, and scopes such as `@example/*`. */
  readonly names: readonly string[];
  /** A file that names more. */
  readonly from: string | undefined;
  readonly registryUrl: string | undefined;
}

type Upstreams = ReturnType<typeof openUpstreams>;

/** The named packages, the packages of scopes, and those that a file lists. */
export async function listPackages(
  request: PackageRequest,
  report: RunReport,
  upstreams: Upstreams,
): Promise<ListedPackage[]> {
  const { datasource, names, from: path } = request;
  const packages: ListedPackage[] = [];
  for (const packageName of names) {
    const [, scope] = /^(@[^/]+)\/\*$/.exec(packageName) ?? [];
    if (scope === undefined) {
      packages.push({ datasource, packageName });
    } else {
      packages.push(...(await listScope(scope, request, upstreams)));
    }
  }

  if (path !== undefined) {
    const file = await readPackages(path);
    packages.push(...file.packages);
    report.finding(...file.notes.map((message) => notice(path, message)));
  }

  return [...new Map(packages.map((entry) => [createSourceId(entry), entry])).values()];
}

/** The packages of a scope. Throws an error with a remedy where its registry cannot list them. */
async function listScope(
  scope: string,
  { datasource, registryUrl }: PackageRequest,
  upstreams: Upstreams,
): Promise<ListedPackage[]> {
  const { listScope: list } = findAdapter({ datasource });
  const subject = `${scope}/*`;
  const remedy = 'Name the packages.';
  if (!list) {
    throw new UsageError(`${subject}: ${datasource} has no scopes. ${remedy}`);
  }

  const names = await list(scope, registryUrl, upstreams).catch((error: unknown) =>
    rejectUpstream(subject, error, remedy),
  );
  if (names.length === 0) {
    throw inputError(subject, `the registry lists no package of it. ${remedy}`);
  }

  return names.map((packageName) => ({ datasource, packageName }));
}
