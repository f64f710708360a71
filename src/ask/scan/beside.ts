import { otherItems, type TextTest } from '../../core/query/term.ts';
import type { Truth } from '../../core/query/match.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import {
  judgePair,
  partnersOf,
  type ComponentVersion,
  type PairAnswer,
} from '../../core/works-with.ts';
import type { ReadPolicy } from '../../core/schemas/published/small-files.ts';
import { termsOf } from '../../core/query/parse.ts';
import type { DetailedRelease, DetailsOn } from '../details-on.ts';
import { pairAnswer } from '../version-answer.ts';
import { TooMuchToScanError } from './components.ts';
import { keyOf, type Entry, type Item } from './items.ts';

/** The versions in the documents of an entry. Equal documents have equal keys. */
export interface Beside {
  readonly key: string;
  readonly versions: readonly ComponentVersion[];
}

/** Whether a policy is about releases that go together. */
export function asksPairs({ selects }: ReadPolicy): boolean {
  return termsOf(selects).some(({ fields }) => fields.some(({ name }) => name === 'worksWith'));
}

/** Judging the pairs of this many releases takes about a second. */
const mostBeside = 500;

/** The other entries in the documents of each entry. Throws a `TooMuchToScanError` if `isLimited`. */
export async function readBeside(
  entries: readonly Entry[],
  locate: (item: Item) => Promise<ComponentVersion | undefined>,
  isLimited: boolean,
): Promise<(entry: Entry) => Beside> {
  const byFile = new Map<string, Map<string, ComponentVersion>>();
  const filesOf = new Map<string, Set<string>>();
  for (const entry of entries) {
    const files = filesOf.get(keyOf(entry)) ?? new Set();
    filesOf.set(keyOf(entry), files);
    for (const item of entry) {
      const { file = '' } = item;
      files.add(file);
      const found = await locate(item);
      if (!found) {
        continue;
      }
      const versions = byFile.get(file) ?? new Map<string, ComponentVersion>();
      byFile.set(file, versions.set(`${found.component} ${found.version}`, found));
      if (isLimited && versions.size > mostBeside) {
        throw new TooMuchToScanError(`has more than ${mostBeside} releases to judge in pairs`);
      }
    }
  }
  return (entry) => {
    const files = [...(filesOf.get(keyOf(entry)) ?? [])].sort();
    const versions = new Map(files.flatMap((file) => [...(byFile.get(file) ?? [])]));
    return { key: JSON.stringify(files), versions: [...versions.values()] };
  };
}

/** How the versions of a component work together with other components. */
export interface Company {
  /** The answers about a version and each other version with a statement about it. */
  answers(version: string): NonNullable<VersionAnswer['with']>;
  /** Whether a version passes a test of `worksWith`. */
  holds(version: string, test: TextTest): Truth;
  /** The release that a policy recommends with the others; computed once. */
  once(policy: string, find: () => DetailedRelease | undefined): DetailedRelease | undefined;
}

const truths: Partial<Record<PairAnswer, boolean>> = { good: true, bad: false };

export function companyOf(details: DetailsOn, versions: readonly ComponentVersion[]): Company {
  const partners = new Set(partnersOf(details));
  const others = versions.filter(({ component }) => partners.has(component));
  const recommended = new Map<string, DetailedRelease | undefined>();
  return {
    answers: (version) => others.map((other) => pairAnswer(details, version, other)),
    holds(version, { pairKey: [component] = [], pieces: [text] }) {
      if (component === undefined && text !== otherItems) {
        return partners.size > 0;
      }
      const asked =
        component === undefined || text === undefined ? others : [{ component, version: text }];
      let truth: Truth = asked.length > 0 ? true : undefined;
      for (const other of asked) {
        const one = truths[judgePair(details, version, other).answer];
        if (one === false) {
          return false;
        }
        if (one === undefined) {
          truth = undefined;
        }
      }
      return truth;
    },
    once(policy, find) {
      if (!recommended.has(policy)) {
        recommended.set(policy, find());
      }
      return recommended.get(policy);
    },
  };
}
