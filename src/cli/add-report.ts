import { InputError, problem, type Finding } from '../core/schemas/finding.ts';
import { endSentence, formatCount, formatList } from '../core/text/wording.ts';
import { HttpError } from '../io/http/error.ts';
import { SourceError } from '../record/sources/source-answer.ts';
import type { UsageError } from './command.ts';

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
}

/** A package that was not added. */
export interface Failure {
  packageName: string;
  error: InputError | UsageError;
}

/** The most names in a line. */
const maxNames = 50;

export function describeAdded({ component, isWritten, releases, latest }: AddedComponent): string {
  const recorded = `${formatCount(releases, 'release')}${isWritten ? '' : ' would be'} recorded`;
  return `${component}: ${recorded}${latest === undefined ? '' : `; the latest is ${latest}`}`;
}

/** The findings on the added components, then the failures. Those that are alike are one, with the subjects of the others. */
export function listFindings(
  components: readonly AddedComponent[],
  failures: readonly Failure[],
): Finding[] {
  const found = components.flatMap(({ component, findings }) =>
    findings.map((finding) => ({ finding, key: createGroupKey(finding, component) })),
  );
  // A message may state the command that adds the package, which no other message replaces.
  const failed = describeFailures(failures).map((finding) => ({ finding, key: finding.message }));
  const groups = Map.groupBy([...found, ...failed], ({ key }) => key);

  return Array.from(groups.values(), ([{ finding }, ...others]) => {
    if (others.length === 0) {
      return finding;
    }

    const subjects = others.map((other) => other.finding.subject);
    const message = `${endSentence(finding.message)} Likewise: ${formatList(subjects, 5)}`;
    return { ...finding, message };
  });
}

/** Findings on components are alike if they have one kind, or one message but for the component. An error has its message. */
function createGroupKey({ level, kind, message }: Finding, component: string): string {
  return level === 'error' ? message : (kind ?? message.replaceAll(component, '…'));
}

/** The problems of packages, then those of hosts, which concern all of their packages. */
function describeFailures(failures: readonly Failure[]): Finding[] {
  const problems: Finding[] = [];
  const silentHosts = new Map<string, { reason: string; packageNames: string[] }>();

  for (const { packageName, error } of failures) {
    const { cause } = error;
    if (cause instanceof HttpError && cause.kind === 'trouble') {
      const { host } = new URL(cause.url);
      const silentHost = silentHosts.get(host) ?? { reason: cause.message, packageNames: [] };
      silentHost.packageNames.push(packageName);
      silentHosts.set(host, silentHost);
    } else if (error instanceof InputError) {
      problems.push(...error.findings);
    } else {
      problems.push(problem(packageName, error.message));
    }
  }

  problems.sort((a, b) => (a.subject < b.subject ? -1 : 1));
  for (const [host, { reason, packageNames }] of silentHosts) {
    const names = formatList(packageNames.sort(), maxNames);
    problems.push(problem(host, `does not answer. Not added: ${names}. ${reason}`));
  }
  return problems;
}

/** The notes of all components, each with its number, and the components that the index had. */
export function summarise(
  components: readonly AddedComponent[],
  existing: readonly string[],
): string[] {
  const notes = components.flatMap((component) => component.notes);
  // A note on one value of a registry stands for those on others.
  const groups = Map.groupBy(notes, (note) => note.replaceAll(/"[^"]*"/g, ''));
  const lines = Array.from(groups.values(), (group) => `${group[0]} (${group.length})`);

  return existing.length > 0
    ? [...lines, `in the index already: ${formatList(existing, maxNames)}`]
    : lines;
}

/** Throws an InputError for a failure of upstream, and any other error unchanged. */
export function rejectUpstream(
  subject: string,
  error: unknown,
  remedy = 'Nothing was written.',
): never {
  if (!(error instanceof HttpError || error instanceof SourceError)) {
    throw error;
  }

  const message = `${endSentence(error.message)} ${remedy}`;
  throw new InputError([problem(subject, message)], { cause: error });
}
