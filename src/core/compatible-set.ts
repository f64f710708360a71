import type { SetPart } from './schemas/published/compatible-set.ts';
import { defined } from './text.ts';
import {
  isRecommended,
  judgePair,
  partnersOf,
  type ComponentVersion,
  type Statements,
} from './works-with.ts';

/** A component of which something is stated, and the releases to choose from. */
export interface Choice extends Statements {
  readonly title: string;
  /** Oldest first. Supported, or without any promise; not deprecated, and not affected by an advisory. */
  readonly usable: readonly string[];
}

/** The releases of each other component to use with versions of some. */
export function setWith(
  given: readonly ComponentVersion[],
  choices: ReadonlyMap<string, Choice>,
): SetPart {
  const isGiven = ({ component }: Choice) => given.some((one) => one.component === component);
  const related = [...choices.values()].filter(
    (choice) => !isGiven(choice) && given.some((one) => isRelated(choice, one)),
  );
  // Those that most others name are chosen first: the others have to fit them.
  const named = ({ statedBy = {} }: Statements) => Object.keys(statedBy).length;
  const ordered = related.toSorted(
    (a, b) => named(b) - named(a) || (a.component < b.component ? -1 : 1),
  );

  const chosen: SetPart['set'] = [];
  const notStated: SetPart['set'] = [];
  const without: SetPart['without'] = [];
  for (const choice of ordered) {
    const { component, title, usable } = choice;
    const judged = usable.map((version) => judgeRelease(choice, version, given, chosen));
    const good = judged.filter(({ is }) => is === 'good');
    const best = good.findLast(({ version }) =>
      given.some((one) => isRecommended(choice, version, one)),
    );
    const found = best ?? good.at(-1);
    const open = judged.findLast(({ is }) => is === 'not-stated');
    const shown = (version: string, recommended?: true) =>
      defined({ component, title, version, isRecommended: recommended });
    if (found) {
      chosen.push(shown(found.version, best && true));
    } else if (open) {
      notStated.push(shown(open.version));
    } else {
      const reason = judged.at(-1)?.reason ?? 'No release is supported and free of advisories.';
      without.push({ component, title, reason });
    }
  }
  const conflicts = given.flatMap((one, place) =>
    given.slice(place + 1).flatMap((other) => {
      const choice = choices.get(one.component);
      const pair = choice && judgePair(choice, one.version, other);
      return pair?.answer === 'bad' ? pair.because.map(({ text }) => text) : [];
    }),
  );
  return { given: [...given], conflicts, set: chosen, notStated, without };
}

function isRelated(statements: Statements, { component }: ComponentVersion): boolean {
  return partnersOf(statements).includes(component);
}

/** Good with everything given of which something is stated, and excluded by nothing chosen. */
function judgeRelease(
  statements: Statements,
  version: string,
  given: readonly ComponentVersion[],
  chosen: readonly ComponentVersion[],
) {
  const pairs = [...given, ...chosen].filter((other) => isRelated(statements, other));
  const answers = pairs.map((other) => judgePair(statements, version, other));
  const bad = answers.find(({ answer }) => answer === 'bad');
  if (bad) {
    return { version, is: 'bad', reason: bad.because.map(({ text }) => text).join(' ') } as const;
  }
  const ofGiven = answers.slice(0, pairs.filter((pair) => given.includes(pair)).length);
  const is = ofGiven.every(({ answer }) => answer === 'good') ? 'good' : 'not-stated';
  return { version, is, reason: undefined } as const;
}
