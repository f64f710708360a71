import type { Day } from '../../core/model/dates.ts';
import type { Definition } from '../../core/schemas/definition/definition.ts';
import { isOsv } from '../../core/schemas/definition/source.ts';
import { isCatalogueId } from '../../core/schemas/definition/source-ids.ts';
import type { RecordedAdvisory } from '../../core/schemas/recorded/recorded.ts';
import { listIds } from '../../decide/advisories.ts';
import type { StatedAdvisories } from '../sources/datasource.ts';
import type { Answered } from './ask-source.ts';

/** The recorded advisories with the new statements, by id; undefined until a source has answered. */
export function mergeAdvisories(
  definition: Definition,
  recorded: readonly RecordedAdvisory[] | undefined,
  answered: readonly Answered[],
  day: Day,
): RecordedAdvisory[] | undefined {
  let advisories = recorded && [...recorded];
  for (const { id, advisories: stated } of answered) {
    if (!stated) {
      continue;
    }
    if (!isCatalogueId(id)) {
      advisories = mergeStatements(advisories, stated, id);
      continue;
    }

    // Without an answer of its source of advisories, the entries of a catalogue would look complete.
    const isUnknown = !advisories && definition.sources.some(isOsv);
    const byId = selectEntries(definition, advisories, stated, day);
    if (byId.size > 0 && !isUnknown) {
      advisories = mergeStatements(advisories, { byId, isComplete: false }, id);
    }
  }

  return advisories;
}

/** The new entries of a catalogue about advisories of the component. Recorded entries stay. */
function selectEntries(
  definition: Definition,
  recorded: readonly RecordedAdvisory[] = [],
  { byId }: StatedAdvisories,
  day: Day,
): StatedAdvisories['byId'] {
  const advisories = [...(definition.advisories ?? []), ...recorded];
  const ids = new Set(advisories.flatMap(listIds));
  const catalogued = new Set(advisories.filter(({ affected }) => !affected).flatMap(listIds));

  const entries = [...byId].filter(([id, entry]) => {
    // Every entry of a catalogue states the day.
    const isKnown = typeof entry === 'object' && entry.exploitedSince! <= day;
    return isKnown && ids.has(id) && !catalogued.has(id);
  });
  return new Map(entries);
}

/**
 * Each source has its own statements on an advisory. A statement stays until its source withdraws it: an advisory that is missing
 * in a document may be in another, unless the source's answer is complete.
 */
function mergeStatements(
  recorded: readonly RecordedAdvisory[] = [],
  { byId, isComplete }: StatedAdvisories,
  source: string,
): RecordedAdvisory[] {
  const merged = recorded.filter(
    (advisory) => advisory.source !== source || !(isComplete || byId.has(advisory.id)),
  );
  for (const statement of byId.values()) {
    if (typeof statement === 'object') {
      merged.push({ ...statement, source });
    }
  }

  const joinKey = ({ id, source: statedBy }: RecordedAdvisory) => `${id} ${statedBy}`;
  return merged.sort((a, b) => (joinKey(a) < joinKey(b) ? -1 : 1));
}

/** The ids of advisories that their source states as withdrawn. */
export function listWithdrawnAdvisories(answered: readonly Answered[]): string[] {
  const withdrawn: string[] = [];
  for (const { advisories } of answered) {
    for (const [id, statement] of advisories?.byId ?? []) {
      if (statement === 'withdrawn') {
        withdrawn.push(id);
      }
    }
  }

  return withdrawn;
}
