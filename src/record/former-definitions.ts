/** Finds out what an edit of a definition takes from readers, apart from what time takes. */
import type { Day } from '../core/day.ts';
import { parseJson } from '../core/parse-document.ts';
import { parseDefinition } from '../core/read-definitions.ts';
import type { Release } from '../core/schema/published.ts';
import type { Recorded } from '../core/schema/recorded.ts';
import { Settings, type Definition } from '../core/schema/written.ts';
import { formatList, formatShare } from '../core/text.ts';
import { judgeOne } from '../judge/judge.ts';
import { findCommit, listChangedSince } from './git.ts';

const settingsFile = 'site/site.json';

/** Finds the former definition of a component. Undefined if the definition was not edited since, or if the component is new. */
export type FindFormer = (name: string, present: Definition) => Promise<Definition | undefined>;

/**
 * Returns a function that finds definitions as of a commit. If a definition had a mistake there, takes its newest version without a mistake
 * before this commit, as a run does. Undefined if this clone lacks the commit.
 */
export async function openFormerDefinitions(
  root: string,
  commit: string,
  signal: AbortSignal,
): Promise<FindFormer | undefined> {
  const changed = await listChangedSince(root, commit, ['components', settingsFile], signal);
  if (changed === undefined) {
    return undefined;
  }

  return async (name, { renamedFrom = [] }) => {
    const files = [name, ...renamedFrom.toReversed()].map((each) => `components/${each}.json`);
    const isEdited = [...files, settingsFile].some((file) => changed.includes(file));
    for (const file of isEdited ? files : []) {
      const read = (text: string, settingsText: string) => {
        // The definition is read with the `defaults` of the same commit.
        const { defaults } = Settings.parse(parseJson(settingsText, settingsFile));
        return parseDefinition(name, file, { own: parseJson(text, file), defaults });
      };
      const found = await findCommit(root, signal, [file, settingsFile], read, commit);
      if (found) {
        return found.value;
      }
    }
    return undefined;
  };
}

type Judged = Pick<Release, 'version' | 'isDeprecated' | 'isSupported'>;

/**
 * Lists the versions that a former definition leaves in use, but that are gone, deprecated or no longer supported by the present definition.
 * Both definitions must be judged for the same day, so that time takes nothing.
 */
export function listLost(former: readonly Judged[], present: readonly Judged[]): string[] {
  const byVersion = new Map(present.map((release) => [release.version, release]));
  const lost = former.filter(({ version, isDeprecated, isSupported }) => {
    const now = byVersion.get(version);
    const isWorse = !now || now.isDeprecated || (isSupported && !now.isSupported);
    return !isDeprecated && isWorse;
  });
  return lost.map(({ version }) => version);
}

/**
 * Lists the versions that an edit of a definition takes from readers. `present`: the releases as judged by the present definition. The former
 * definition is judged with the same data for the same day, so time, late releases and corrected ends take nothing.
 */
export function listLostByEdit(
  { name, former, recorded }: { name: string; former: Definition; recorded: Recorded },
  present: readonly Judged[],
  day: Day,
): string[] {
  return listLost(judgeOne({ name, definition: former, recorded }, day).releases, present);
}

/** Describes lost versions: `4 of 9 releases would be gone or deprecated: 1.0.0, …`. `all`: the number of releases that were in use. */
export function describeLoss(
  lost: readonly string[],
  all: number,
  present: readonly Judged[],
): string {
  const isUnsupported = present.some(
    ({ version, isDeprecated }) => !isDeprecated && lost.includes(version),
  );
  const loss = isUnsupported ? 'gone, deprecated or no longer supported' : 'gone or deprecated';
  return `${formatShare(lost.length, all)} releases would be ${loss}: ${formatList(lost, 5)}`;
}
