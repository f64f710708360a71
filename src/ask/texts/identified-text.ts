import type { ComponentVersion } from '../../core/model/pair-answers.ts';
import type { Plan } from '../../core/schemas/published/plan-answer.ts';
import { quote } from '../../core/text/foreign-text.ts';
import type { Entry } from './text-entries.ts';

/** A version of a component in a text. */
export interface ReadVersion extends ComponentVersion {
  /** The line in the text, from 1. */
  readonly line?: number | undefined;
  /** As written. */
  readonly text: string;
}

/** A part of a text that gives no version of the index. An unknown name is a `guess` only where a person may confirm it. */
export type NotRead = Plan['notRead'][number];

/** The versions in a text that belong to an index, and what became of everything else in it. */
export interface IdentifiedText {
  /** Each version once, at its first place. Another spelling, such as `v2025.1`, is a further one. */
  readonly versions: readonly ReadVersion[];
  readonly notRead: NotRead[];
  /** The number of packages, or of lines with a version, that are not in the index. */
  readonly otherCount: number;
  /** The entries among these. Further lines are only counted. */
  readonly foreign: readonly Entry[];
  /** Whether it is a bill of materials, which has packages in place of lines. */
  readonly isDocument?: true | undefined;
  /** The number of entries that were read. */
  readonly entriesRead: number;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** Whether only a person can say what a part of a text means. */
export function isQuestion(part: NotRead): part is NotRead & { didYouMean: string[] } {
  return part.reason === 'guess' && part.didYouMean !== undefined;
}

/** Says why a part of a text gives no version, and what it may mean. */
export function explainNotRead({ text, reason, didYouMean = [] }: NotRead): string {
  const meant = didYouMean.map(quote).join(' or ');
  const unknown = 'names no component of this index.';
  const words = {
    guess: unknown,
    unknown,
    'no-version': 'states no version.',
    'not-understood': 'cannot be read.',
  };
  return `${quote(text)} ${words[reason]}${meant && ` Did you mean ${meant}?`}`;
}

/** Parts without a line come first. */
export function compareLines(a: Pick<ReadVersion, 'line'>, b: Pick<ReadVersion, 'line'>): number {
  return (a.line ?? 0) - (b.line ?? 0);
}

/** Replaces parts that were not read by the versions, such as `svc@2025.1`, that a person confirmed for them. */
export function applyConfirmed(
  identified: IdentifiedText,
  confirmed: readonly string[],
): IdentifiedText {
  const versions = [...identified.versions];
  const notRead: NotRead[] = [];

  for (const part of identified.notRead) {
    const meant = part.didYouMean?.find((each) => confirmed.includes(each));
    if (meant === undefined) {
      notRead.push(part);
      continue;
    }

    // No name of a component has an @.
    const [component = '', version = ''] = meant.split('@');
    if (!versions.some((each) => each.component === component && each.version === version)) {
      versions.push({ component, version, line: part.line, text: part.text });
    }
  }

  const entriesRead = identified.entriesRead + identified.notRead.length - notRead.length;
  versions.sort(compareLines);
  return { ...identified, versions, notRead, entriesRead };
}
