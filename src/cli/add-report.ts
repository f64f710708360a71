import { InputError, problem, type Finding } from '../core/schemas/finding.ts';
import { endSentence, formatCount, formatList } from '../core/text/wording.ts';
import { HttpError } from '../io/http/error.ts';
import type { AddedComponent } from './add-one.ts';
import type { UsageError } from './command.ts';

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

/** The problems of packages, then those of hosts, which concern all of their packages. */
export function describeFailures(failures: readonly Failure[]): Finding[] {
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

/** The first of each group of findings that are alike, with the subjects of the others. */
export function joinAlike(findings: readonly Finding[]): Finding[] {
  const groups = Map.groupBy(findings, createGroupKey);

  return Array.from(groups.values(), ([first, ...others]) => {
    if (others.length === 0) {
      return first;
    }

    const subjects = others.map(({ subject }) => subject);
    const message = `${endSentence(first.message)} Likewise: ${formatList(subjects, 5)}`;
    return { ...first, message };
  });
}

/** Equal for errors with one message, and for other findings of one kind or with one message but for the component. */
function createGroupKey({ level, kind, subject, message }: Finding): string {
  // The message of an error may state the command that adds its package, which no other message replaces.
  if (level === 'error') {
    return message;
  }

  return kind ?? message.replaceAll(findComponentName(subject), '…');
}

/** `agent` for the subject `agent (npm)`. */
function findComponentName(subject: string): string {
  const [name = ''] = subject.split(' ');
  return name;
}

/** The notes of all components, each with its number, and the packages that the index had. Notes that differ only in quoted values are one. */
export function summarise(
  components: readonly AddedComponent[],
  existing: readonly string[],
): string[] {
  const notes = components.flatMap((component) => component.notes);
  const groups = Map.groupBy(notes, (note) => note.replaceAll(/"[^"]*"/g, ''));
  const lines = Array.from(groups.values(), (group) => `${group[0]} (${group.length})`);

  return existing.length > 0
    ? [...lines, `in the index already: ${formatList(existing, maxNames)}`]
    : lines;
}
