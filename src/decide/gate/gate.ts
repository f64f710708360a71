import { isDeepStrictEqual } from 'node:util';
import { addDays } from '../../core/dates.ts';
import type { Definition } from '../../core/schemas/definition.ts';
import type { Freshness } from '../../core/schemas/freshness.ts';
import type { Decision, Held } from '../../core/schemas/held.ts';
import type { JournalEvent } from '../../core/schemas/journal.ts';
import {
  listingSources,
  type RecordedData,
  type RecordedRelease,
} from '../../core/schemas/recorded.ts';
import { sourceIds, supportSourceId } from '../../core/schemas/source.ts';
import { counted, defined, listed, quote } from '../../core/text.ts';
import { judgeRecorded } from '../judge-recorded.ts';
import { findOtherBytes, suspicionsOf, type Suspicion } from './additions.ts';
import { addedLines, addedReleases, dataChanges, withAdditions } from './data-changes.ts';
import { openHolds, type HoldsInput } from './holds.ts';
import { lossOf, type Loss } from './loss.ts';
import { remember, type Memory } from './memory.ts';
import { standingOf, type Standing } from './standing.ts';

/** A component after the last run, and in its files now. */
export interface GatedComponent {
  readonly name: string;
  readonly journal: readonly JournalEvent[];
  readonly before: RecordedData;
  readonly after: RecordedData;
  readonly freshness: { readonly before: Freshness; readonly after: Freshness };
  /** Whether all releases that a source had listed by its last answer are recorded. */
  isWhole(source: string): boolean;
}

/** An edit of a hand-written file: of one definition, or of a default that several definitions inherit. */
export interface Edit {
  /** Names the edit in the journal. */
  readonly id: string;
  readonly cause: string;
  readonly key?: string;
  /** By component: the definition before and after this edit. */
  readonly definitions: ReadonlyMap<
    string,
    { readonly before: Definition; readonly after: Definition }
  >;
  readonly instead: Held['instead'];
}

export interface GateInput extends HoldsInput {
  readonly components: readonly GatedComponent[];
  /** Each edit is made after the decisions on earlier edits. */
  readonly edits: readonly ((isHeld: (edit: string) => boolean) => Edit)[];
  /** The valid definition after the decisions on all edits. */
  definitionOf(name: string, isHeld: (edit: string) => boolean): Definition | undefined;
}

export interface Gated {
  /** The valid data of components whose files differ from it. */
  readonly data: ReadonlyMap<string, RecordedData>;
  readonly held: Held[];
  /** The decisions that were used. */
  readonly taken: Pick<Decision, 'id' | 'components'>[];
}

/** Applies each change separately to the data of the last run, and holds changes that take too much from readers. */
export function applyGate(input: GateInput): Gated {
  const { day, components } = input;
  const { taken, isHeldEdit, acceptedOn, decide, keepUnanswered, result } = openHolds(input);
  const data = new Map<string, RecordedData>();
  const byName = new Map(components.map((component) => [component.name, component]));
  const memories = new Map<string, Memory>();
  for (const makeEdit of input.edits) {
    judgeEdit(makeEdit(isHeldEdit));
  }
  for (const component of components) {
    judgeData(component);
  }
  return { data, held: result(), taken };

  function memoryOf({ name, journal }: GatedComponent): Memory {
    const memory = memories.get(name) ?? remember(journal, day, acceptedOn(name));
    memories.set(name, memory);
    return memory;
  }

  function standing(name: string, definition: Definition, recorded: RecordedData): Standing {
    return standingOf(judgeRecorded(name, definition, recorded, day));
  }

  function judgeEdit({ cause, key, definitions, instead }: Edit): void {
    const several = definitions.size > 1;
    const losses = [...definitions].flatMap(
      ([name, { before, after }]): (Loss & { name: string })[] => {
        const component = byName.get(name);
        if (!component || component.journal.length === 0 || isDeepStrictEqual(before, after)) {
          return [];
        }
        const was = standing(name, before, component.before);
        const now = standing(name, after, component.before);
        const loss = lossOf(was, now, memoryOf(component), day);
        const label = (text: string) => (several ? `${name}: ${text}` : text);
        return [{ name, items: loss.items.map(label), exceeded: loss.exceeded.map(label) }];
      },
    );
    const touched = losses.flatMap(({ name, items }) => (items.length > 0 ? name : []));
    const exceeded = losses.flatMap((loss) => loss.exceeded);
    const items = losses.flatMap((loss) => loss.items);
    const inWords = several && exceeded.length > 0 ? [sumOf(items, touched, exceeded)] : exceeded;
    if (touched.length > 0) {
      decide({ cause, key, instead, components: touched }, items, inWords);
    }
  }

  function judgeData(component: GatedComponent): void {
    const { name, before, after, journal } = component;
    const definition = input.definitionOf(name, isHeldEdit);
    if (!definition) {
      return void (isDeepStrictEqual(before, after) || data.set(name, before));
    }
    const sources = [...sourceIds(definition.sources), supportSourceId(definition.support) ?? ''];
    keepUnanswered(name, sources, component.freshness.after);
    if (journal.length === 0 || isDeepStrictEqual(before, after)) {
      return;
    }
    const wanted = keepProduct(component, keepBytes(component));
    const waiting = judgeAdditions(component, wanted);
    const added = addedReleases(before, wanted).filter(({ version }) => !waiting.has(version));
    let accepted = withAdditions(before, added, wanted);
    let was = standing(name, definition, accepted);
    for (const { cause, key, apply } of dataChanges(before, wanted, `data/${name}.json`)) {
      const next = apply(accepted);
      const now = standing(name, definition, next);
      const loss = lossOf(was, now, memoryOf(component), day);
      const gone = vanished(accepted, next);
      const vanishing = gone.length > 0 ? [listed(gone, 5)] : [];
      const change = { cause, key, components: [name] };
      if (decide(change, [...loss.items, ...gone], [...loss.exceeded, ...vanishing])) {
        continue;
      }
      [accepted, was] = [next, now];
    }
    if (!isSameData(accepted, after)) {
      data.set(name, accepted);
    }
  }

  /** Recorded digests stay until a person accepts other ones. */
  function keepBytes({ name, before, after }: GatedComponent): RecordedData {
    const known = new Map(before.releases.map((release) => [release.version, release]));
    const releases = after.releases.map((release) => {
      const was = known.get(release.version);
      const found = was && findOtherBytes(was, release);
      if (!found) {
        return release;
      }
      const about = {
        cause: release.source ?? `data/${name}.json`,
        key: `bytes ${release.version}`,
      };
      if (!decide({ ...about, components: [name] }, found.items, [found.reason])) {
        return release;
      }
      const { digests, republished } = was;
      return defined({ ...release, digests, republished }) as RecordedRelease;
    });
    return { ...after, releases };
  }

  /** Holds release lines of another product than before or than the definition names. */
  function keepProduct({ name, before }: GatedComponent, after: RecordedData): RecordedData {
    const lines = [...Map.groupBy(after.lines ?? [], ({ source }) => source)].flatMap(
      ([cause, stated]) => {
        const known = (before.lines ?? []).filter(({ source }) => source === cause);
        const other = stated.find(({ about }) => about !== undefined)?.about;
        if (other === undefined || known.some(({ about }) => about === other)) {
          return stated;
        }
        const reason = `${cause} states the release lines of ${quote(other)}`;
        const isHeld = decide({ cause, key: 'product', components: [name] }, [reason], [reason]);
        return isHeld ? known : stated;
      },
    );
    return after.lines ? { ...after, lines } : after;
  }

  /** Returns the new versions that wait. */
  function judgeAdditions(component: GatedComponent, wanted: RecordedData): Set<string> {
    const { name, before, freshness } = component;
    const bySource = Map.groupBy(
      addedReleases(before, wanted),
      ({ source }) => source ?? `data/${name}.json`,
    );
    const waiting = new Set<string>();
    for (const [source, added] of bySource) {
      const [was, now] = [freshness.before.sources[source], freshness.after.sources[source]];
      const isSame =
        was?.definition === undefined || was.definition === (now?.definition ?? was.definition);
      const isKnown = before.releases.some((entry) => listingSources(entry).includes(source));
      const suspicions = suspicionsOf({
        source,
        added,
        day,
        before: before.releases,
        answeredOn: isSame
          ? (was?.answeredOn ?? (isKnown ? addDays(day, -1) : undefined))
          : undefined,
        isWhole: component.isWhole(source),
        acceptedOn: acceptedOn(name),
      });
      for (const found of suspicions) {
        if (waits(found, source, name)) {
          for (const one of found.versions) {
            waiting.add(one);
          }
        }
      }
    }
    return waiting;
  }

  function waits(
    { kind, versions, items, reason }: Suspicion,
    cause: string,
    name: string,
  ): boolean {
    const key = versions.length === 1 ? `${kind} ${versions[0]}` : kind;
    return decide({ cause, key, components: [name], versions }, items, [reason]);
  }
}

function sumOf(
  items: readonly string[],
  names: readonly string[],
  exceeded: readonly string[],
): string {
  return `${counted(items.length, 'change')} for the worse of ${counted(names.length, 'component')} (${listed(exceeded, 3)})`;
}

function vanished(before: RecordedData, after: RecordedData): string[] {
  return [
    ...addedReleases(after, before).map(({ version }) => `${version} no longer recorded`),
    ...addedLines(after, before).map(({ line }) => `line ${line} no longer recorded`),
  ];
}

function isSameData(a: RecordedData, b: RecordedData): boolean {
  const byVersion = ({ releases, ...rest }: RecordedData) => ({
    ...rest,
    releases: releases.toSorted((x, y) => (x.version < y.version ? -1 : 1)),
  });
  return isDeepStrictEqual(byVersion(a), byVersion(b));
}
