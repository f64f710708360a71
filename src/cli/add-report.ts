import { InputError, problem, type Finding } from '../core/schemas/finding.ts';
import { endSentence, formatCount, formatList } from '../core/text/wording.ts';
import { HttpError } from '../io/http/error.ts';
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
  /** `cause`: the failure of the host, if `rejectUpstream` made the error. */
  error: InputError | UsageError;
}

/** The most names in a line. */
const maxNames = 50;

export function describeAdded({ component, isWritten, releases, latest }: AddedComponent): string {
  const recorded = `${formatCount(releases, 'release')}${isWritten ? '' : ' would be'} recorded`;
  return `${component}: ${recorded}${latest === undefined ? '' : `; the latest is ${latest}`}`;
}

/** The findings on the added components, then the failures. Alike findings become one, which names the other subjects. */
export function listFindings(
  components: readonly AddedComponent[],
  failures: readonly Failure[],
): Finding[] {
  // Errors are joined whatever their component.
  const lists = [...components, { component: '', findings: describeFailures(failures) }];
  const groups = new Map<string, { first: Finding; subjects: Set<string> }>();
  for (const { component, findings } of lists) {
    for (const finding of findings) {
      const { subject, message } = finding;
      const key = createGroupKey(finding, component);
      // Another finding of the same kind on the same subject says something else, for instance of its second source.
      const isFurther = groups.get(key)?.subjects.has(subject);
      const groupKey = isFurther ? `${key} ${message}` : key;
      const group = groups.get(groupKey) ?? { first: finding, subjects: new Set() };
      group.subjects.add(subject);
      groups.set(groupKey, group);
    }
  }

  return Array.from(groups.values(), ({ first, subjects }) => {
    const [, ...others] = subjects;
    if (others.length === 0) {
      return first;
    }

    const message = `${endSentence(first.message)} Likewise: ${formatList(others, 5)}`;
    return { ...first, message };
  });
}

/**
 * Errors are joined only if their messages are equal, because a message may state a command for its package. Other
 * findings are joined by kind or, without a kind, by their message without the component's name.
 */
function createGroupKey({ level, kind, message }: Finding, component: string): string {
  return level === 'error' ? message : (kind ?? message.replaceAll(component, '…'));
}

/** The problems of packages, then a problem for each host that failed, which names all of its packages. */
function describeFailures(failures: readonly Failure[]): Finding[] {
  const problems: Finding[] = [];
  const failedHosts = new Map<string, { reason: string; packageNames: string[] }>();

  for (const { packageName, error } of failures) {
    const { cause } = error;
    if (cause instanceof HttpError && cause.kind === 'trouble') {
      const { host } = new URL(cause.url);
      const entry = failedHosts.get(host) ?? { reason: cause.message, packageNames: [] };
      entry.packageNames.push(packageName);
      failedHosts.set(host, entry);
    } else if (error instanceof InputError) {
      problems.push(...error.findings);
    } else {
      problems.push(...error.lines.map((line) => problem(packageName, line)));
    }
  }

  problems.sort((a, b) => (a.subject < b.subject ? -1 : 1));
  for (const [host, { reason, packageNames }] of failedHosts) {
    const names = formatList(packageNames.toSorted(), maxNames);
    problems.push(problem(host, `cannot be used now. Not added: ${names}. ${reason}`));
  }
  return problems;
}

/** Each note once, with the number of times it occurs, then the components that were in the index already. */
export function listNotes(
  components: readonly AddedComponent[],
  existing: readonly string[],
): string[] {
  const notes = components.flatMap((component) => component.notes);
  // Notes that differ only in quoted values are one: the values of the first are shown.
  const groups = Map.groupBy(notes, (note) => note.replaceAll(/"[^"]*"/g, ''));
  const lines = Array.from(groups.values(), (group) => `${group[0]} (${group.length})`);

  return existing.length > 0
    ? [...lines, `in the index already: ${formatList(existing, maxNames)}`]
    : lines;
}
