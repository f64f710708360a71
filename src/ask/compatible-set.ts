import type { PlacedRelease } from '../core/query/catalogue.ts';
import type { CompatibleSet } from '../core/schemas/published/compatible-set.ts';
import { defined } from '../core/text.ts';
import { isRecommended, judgePair, partnersOf, type Statements } from '../core/works-with.ts';
import type { PublishedIndex } from './published-index.ts';
import { namedVersions } from './ask.ts';

interface Version {
  readonly component: string;
  readonly version: string;
}

/** The versions of other components to use with those that texts such as svc@2025.1 name. Throws an `UnknownNameError`. */
export async function compatibleSet(index: PublishedIndex, texts: readonly string[]): Promise<CompatibleSet> {
  const given = await namedVersions(index, texts);
  const byComponent = Map.groupBy(await index.catalogue(), ({ shared }) => shared.component as string);
  const statementsOf = (component: string) => byComponent.get(component)?.[0]?.statements;
  const isGiven = (component: string) => given.some((one) => one.component === component);
  const related = Array.from(byComponent).filter(
    ([component]) => !isGiven(component) && given.some((one) => isRelated(statementsOf(component), one)),
  );
  // Those that most others name are chosen first, so that the others fit them.
  const named = ({ statedBy = {} }: Statements) => Object.keys(statedBy).length;
  const ordered = related.toSorted(
    ([a], [b]) => named(statementsOf(b)!) - named(statementsOf(a)!) || (a < b ? -1 : 1),
  );

  const chosen: CompatibleSet['set'] = [];
  const notStated: CompatibleSet['set'] = [];
  const without: CompatibleSet['without'] = [];
  for (const [component, releases] of ordered) {
    const statements = statementsOf(component)!;
    const title = String(releases[0]!.shared.title ?? component);
    const judged = releases
      .filter(isUsable)
      .map(({ own }) => judgeRelease(statements, own.version!, given, chosen));
    const good = judged.filter(({ is }) => is === 'good');
    const best = good.findLast(({ version }) => given.some((one) => isRecommended(statements, version, one)));
    const found = best ?? good.at(-1);
    const open = judged.findLast(({ is }) => is === 'not-stated');
    const shown = (version: string, recommended?: true) =>
      defined({ component, title, version, isRecommended: recommended });
    if (found) chosen.push(shown(found.version, best && true));
    else if (open) notStated.push(shown(open.version));
    else {
      const reason = judged.at(-1)?.reason ?? 'No release is supported and free of advisories.';
      without.push({ component, title, reason });
    }
  }
  const conflicts = given.flatMap((one, place) =>
    given.slice(place + 1).flatMap((other) => {
      const statements = statementsOf(one.component);
      const { answer, because } = statements ? judgePair(statements, one.version, other) : noAnswer;
      return answer === 'bad' ? because.map(({ text }) => text) : [];
    }),
  );
  return { asOf: await index.day(), given, conflicts, set: chosen, notStated, without };
}

const noAnswer = { answer: 'not-stated', because: [] } as const;

function isRelated(statements: Statements | undefined, { component }: Version): boolean {
  return statements !== undefined && partnersOf(statements).includes(component);
}

/** Supported, or without any promise; not deprecated, and not affected by an advisory. */
function isUsable({ own }: PlacedRelease): boolean {
  return !own.isPrerelease && !own.isDeprecated && own.isSupported !== false && own.isVulnerable !== true;
}

/** Good with everything given of which something is stated, and excluded by nothing chosen. */
function judgeRelease(
  statements: Statements,
  version: string,
  given: readonly Version[],
  chosen: readonly Version[],
) {
  const pairs = [...given, ...chosen].filter((other) => isRelated(statements, other));
  const answers = pairs.map((other) => judgePair(statements, version, other));
  const bad = answers.find(({ answer }) => answer === 'bad');
  if (bad) return { version, is: 'bad', reason: bad.because.map(({ text }) => text).join(' ') } as const;
  const ofGiven = answers.slice(0, pairs.filter((pair) => given.includes(pair)).length);
  const is = ofGiven.every(({ answer }) => answer === 'good') ? 'good' : 'not-stated';
  return { version, is, reason: undefined } as const;
}

/** The set in lines for a person. */
export function setText({ given, conflicts, set, notStated, without }: CompatibleSet): string {
  const names = given.map(({ component, version }) => `${component} ${version}`).join(', ');
  return [
    `With ${names}:`,
    ...conflicts.map((text) => `They do not work together: ${text}`),
    ...set.map(
      ({ component, version, isRecommended }) =>
        `${component} ${version}${isRecommended ? ', recommended' : ''}`,
    ),
    ...notStated.map(({ component, version }) => `${component} ${version}: not stated`),
    ...without.map(({ component, reason }) => `${component}: none. ${reason}`),
    ...(set.length + notStated.length + without.length === 0 ? ['Nothing is stated about them.'] : []),
  ].join('\n');
}
