import type { Day } from '../core/model/dates.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import { sourcesById } from '../core/schemas/definition/source.ts';
import type { Finding } from '../core/schemas/finding.ts';
import type { RecordedData } from '../core/schemas/recorded/recorded.ts';
import type { StatedAdvisory } from './advisories.ts';
import type { Component } from './component.ts';
import { judge } from './judge.ts';
import { statedLinesIn } from './lines.ts';
import { normaliseReleases } from './releases.ts';

/** A component as judged on a day. */
export type Judged = Pick<Component, 'name' | 'definition' | 'judgement' | 'unadmitted'>;

/** Judges a component's recorded data by a definition, as of a day. */
export function judgeRecorded(
  name: string,
  definition: Definition,
  recorded: RecordedData,
  day: Day,
): Judged & { findings: Finding[] } {
  const statedLines = statedLinesIn(recorded, definition);
  const { releases, unadmitted, findings } = normaliseReleases(
    name,
    definition,
    recorded.releases,
    day,
    statedLines,
  );

  // Ignore sources that the definition no longer names.
  const sources = sourcesById(definition.sources);
  const advisories = recorded.advisories
    ?.map(({ source: id, affected, ...advisory }): StatedAdvisory | undefined => {
      const source = sources.get(id);
      return source && affected
        ? { ...advisory, affected, isTrusted: source.trusted === true }
        : undefined;
    })
    .filter((value) => value !== undefined);
  const judgement = judge(releases, definition, day, advisories, statedLines, recorded.advisories);
  return { name, definition, judgement, unadmitted, findings };
}
