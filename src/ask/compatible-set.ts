import type { PlacedRelease } from '../core/query/catalogue.ts';
import type { CompatibleSet, SetPart } from '../core/schemas/published/compatible-set.ts';
import { defined } from '../core/text.ts';
import { isRecommended, judgePair, partnersOf, type Statements } from '../core/works-with.ts';
import { upgradePath } from '../core/upgrade-path.ts';
import { compareToBound } from '../core/version-range.ts';
import { parseVersion } from '../core/version.ts';
import type { DetailsOn } from './details-on.ts';
import type { PublishedIndex } from './published-index.ts';
import type { ComponentVersion } from './scan/beside.ts';
import { namedVersions } from './ask.ts';

/**
 * The versions of other components to use with those that texts such as svc@2025.1 name, today and after the first of them has gone
 * the next step up. Throws an `UnknownNameError`.
 */
export async function compatibleSet(index: PublishedIndex, texts: readonly string[]): Promise<CompatibleSet> {
  const given = await namedVersions(index, texts);
  const byComponent = Map.groupBy(await index.catalogue(), ({ shared }) => shared.component as string);
  const next = given[0] && nextStep(given[0], await index.details(given[0].component));
  return defined({
    asOf: await index.day(),
    ...setWith(given, byComponent),
    next: next && setWith([next], byComponent),
  });
}

function nextStep({ component, version }: ComponentVersion, details: DetailsOn | undefined) {
  if (!details?.latest) return undefined;
  const path = upgradePath(details, details.releases, version, details.latest);
  const step = path.find(({ when }) => when === undefined)!;
  const isAhead = compareToBound(parseVersion(step.version)!, parseVersion(version)!) > 0;
  return isAhead ? { component, version: step.version } : undefined;
}

function setWith(
  given: readonly ComponentVersion[],
  byComponent: ReadonlyMap<string, readonly PlacedRelease[]>,
): SetPart {
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

  const chosen: SetPart['set'] = [];
  const notStated: SetPart['set'] = [];
  const without: SetPart['without'] = [];
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
  return { given: [...given], conflicts, set: chosen, notStated, without };
}

const noAnswer = { answer: 'not-stated', because: [] } as const;

function isRelated(statements: Statements | undefined, { component }: ComponentVersion): boolean {
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
  given: readonly ComponentVersion[],
  chosen: readonly ComponentVersion[],
) {
  const pairs = [...given, ...chosen].filter((other) => isRelated(statements, other));
  const answers = pairs.map((other) => judgePair(statements, version, other));
  const bad = answers.find(({ answer }) => answer === 'bad');
  if (bad) return { version, is: 'bad', reason: bad.because.map(({ text }) => text).join(' ') } as const;
  const ofGiven = answers.slice(0, pairs.filter((pair) => given.includes(pair)).length);
  const is = ofGiven.every(({ answer }) => answer === 'good') ? 'good' : 'not-stated';
  return { version, is, reason: undefined } as const;
}

/** The set in lines for a person: a table of the versions today and after the next step, then what stands against some. */
export function setText(found: CompatibleSet): string {
  const parts = [found, ...(found.next ? [found.next] : [])];
  const cells = parts.map(cellsOf);
  const components = [...new Set(cells.flatMap((of) => [...of.keys()]))].sort();
  if (components.length === 0) return `Nothing is stated about ${namesOf(found)}.`;
  const heads = parts.map((part, index) => `${index === 0 ? 'with' : 'then with'} ${namesOf(part)}`);
  const rows = components.map((component) => [component, ...cells.map((of) => of.get(component) ?? 'none')]);
  const table = inColumns([['', ...heads], ...rows]);
  const remarks = parts.flatMap(({ conflicts, without }) => [
    ...conflicts.map((text) => `They do not work together: ${text}`),
    ...without.map(({ component, reason }) => `${component}: none. ${reason}`),
  ]);
  return [...table, ...new Set(remarks)].join('\n');
}

function namesOf({ given }: SetPart): string {
  return given.map(({ component, version }) => `${component} ${version}`).join(', ');
}

function cellsOf({ set, notStated, without }: SetPart): Map<string, string> {
  return new Map([
    ...set.map((one) => [one.component, one.version + (one.isRecommended ? ', recommended' : '')] as const),
    ...notStated.map(({ component, version }) => [component, `not stated; ${version}`] as const),
    ...without.map(({ component }) => [component, 'none'] as const),
  ]);
}

function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, place) => Math.max(...rows.map((row) => row[place]!.length)));
  return rows.map((row) =>
    row
      .map((text, place) => text.padEnd(widths[place]!))
      .join('  ')
      .trimEnd(),
  );
}
