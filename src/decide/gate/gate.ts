import { isDeepStrictEqual } from 'node:util';
import { addDays, type Day } from '../../core/dates.ts';
import type { Definition } from '../../core/schemas/definition.ts';
import type { Freshness } from '../../core/schemas/freshness.ts';
import type { Decision, Held } from '../../core/schemas/held.ts';
import type { JournalEvent } from '../../core/schemas/journal.ts';
import { listingSources, type RecordedData, type RecordedRelease } from '../../core/schemas/recorded.ts';
import { sourceIds, supportSourceId } from '../../core/schemas/source.ts';
import { counted, defined, listed, quote, toLine } from '../../core/text.ts';
import { judgeRecorded } from '../judge-recorded.ts';
import { findOtherBytes, suspicionsOf, type Suspicion } from './additions.ts';
import { addedReleases, dataChanges, withAdditions } from './data-changes.ts';
import { lossOf, type Loss } from './loss.ts';
import { remember, type Memory } from './memory.ts';
import { standingOf, type Standing } from './standing.ts';

/** The input for judging a component. */
export interface Counted {
  readonly definition: Definition;
  readonly data: RecordedData;
}

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
  readonly definitions: ReadonlyMap<string, { readonly before: Definition; readonly after: Definition }>;
  readonly instead: Held['instead'];
}

export interface GateInput {
  readonly day: Day;
  readonly components: readonly GatedComponent[];
  /** Each edit is made after the decisions on earlier edits. */
  readonly edits: readonly ((isHeld: (edit: string) => boolean) => Edit)[];
  /** The valid definition after the decisions on all edits. */
  definitionOf(name: string, isHeld: (edit: string) => boolean): Definition | undefined;
  readonly held: readonly Held[];
  readonly decisions: readonly Decision[];
  /** The first digits of a digest. */
  digest(text: string): string;
}

type Waiting = { key: string | undefined; versions: readonly string[]; instead: Held['instead'] };

export interface Gated {
  /** The valid data of components whose files differ from it. */
  readonly data: ReadonlyMap<string, RecordedData>;
  readonly held: Held[];
  /** The decisions that were used. */
  readonly taken: Pick<Decision, 'id' | 'components'>[];
}

/** Applies each change separately to the data of the last run, and holds changes that take too much from readers. */
export function applyGate(input: GateInput): Gated {
  const gate = openGate(input);
  for (const makeEdit of input.edits) gate.judgeEdit(makeEdit(gate.isHeldEdit));
  for (const component of input.components) gate.judgeData(component);
  return gate.result();
}

function openGate({ day, components, held: known, decisions, digest, ...input }: GateInput) {
  const held: Held[] = [];
  const taken: Gated['taken'] = [];
  const data = new Map<string, RecordedData>();
  const byName = new Map(components.map((component) => [component.name, component]));
  const memories = new Map<string, Memory>();
  const isHeldEdit = (edit: string) => held.some((one) => editKey(one) === edit && one.instead);

  const acceptedOn = (name: string): Day =>
    decisions.findLast(({ by, components: of }) => by === undefined && of?.includes(name))?.at.slice(0, 10) ??
    '';
  const memoryOf = ({ name, journal }: GatedComponent): Memory => {
    const memory = memories.get(name) ?? remember(journal, day, acceptedOn(name));
    memories.set(name, memory);
    return memory;
  };
  const standing = (name: string, { definition, data: recorded }: Counted): Standing =>
    standingOf(judgeRecorded(name, definition, recorded, day));

  /** Whether a decision accepts exactly this change, and no run has used the decision yet. */
  const isAccepted = (id: string): boolean => decisions.findLast((one) => one.id === id)?.by !== undefined;

  /** Returns whether to hold the change. A change that was held before stays held until it takes nothing. */
  function decide(
    about: Pick<Held, 'cause'> & { components: readonly string[] } & Partial<Waiting>,
    items: readonly string[],
    exceeded: readonly string[],
  ): boolean {
    const earlier = known.find(
      (one) => isSameCause(one, about) && one.items.some((item) => items.includes(item)),
    );
    if (items.length === 0 || (exceeded.length === 0 && !earlier)) return false;
    const sorted = [...new Set(items)].sort();
    const { cause, key, components: names } = about;
    const id = digest(JSON.stringify([cause, key, names.length > 1 ? [] : names, sorted]));
    if (isAccepted(id)) {
      taken.push({ id, components: [...names] });
      return false;
    }
    held.push(
      defined({
        id,
        since: earlier?.since ?? day,
        seen: day,
        cause,
        key,
        components: [...names],
        reason: toLine(exceeded.join('; ') || earlier!.reason),
        items: sorted,
        versions: about.versions?.length ? [...about.versions] : undefined,
        instead: about.instead,
      }) as Held,
    );
    return true;
  }

  function judgeEdit({ cause, key, definitions, instead }: Edit): void {
    const names = [...definitions.keys()];
    const several = names.length > 1;
    const losses = names.map((name): Loss => {
      const component = byName.get(name);
      if (!component || component.journal.length === 0) return { items: [], exceeded: [] };
      const { before, after } = definitions.get(name)!;
      if (isDeepStrictEqual(before, after)) return { items: [], exceeded: [] };
      const was = standing(name, { definition: before, data: component.before });
      const now = standing(name, { definition: after, data: component.before });
      const loss = lossOf(was, now, memoryOf(component), day);
      const label = (text: string) => (several ? `${name}: ${text}` : text);
      return { items: loss.items.map(label), exceeded: loss.exceeded.map(label) };
    });
    const touched = names.filter((_, index) => losses[index]!.items.length > 0);
    const exceeded = losses.flatMap((loss) => loss.exceeded);
    const items = losses.flatMap((loss) => loss.items);
    const inWords = several && exceeded.length > 0 ? [sumOf(items, touched, exceeded)] : exceeded;
    if (touched.length > 0)
      decide({ ...defined({ cause, key, instead }), components: touched }, items, inWords);
  }

  function judgeData(component: GatedComponent): void {
    const { name, before, after, journal } = component;
    const definition = input.definitionOf(name, isHeldEdit);
    if (!definition) return void (isDeepStrictEqual(before, after) || data.set(name, before));
    keepUnanswered(component, definition);
    if (journal.length === 0 || isDeepStrictEqual(before, after)) return;
    const wanted = keepProduct(component, keepBytes(component));
    const waiting = judgeAdditions(component, wanted);
    const added = addedReleases(before, wanted).filter(({ version }) => !waiting.has(version));
    let counts = withAdditions(before, added, wanted);
    let was = standing(name, { definition, data: counts });
    for (const { cause, key, apply } of dataChanges(before, wanted, `data/${name}.json`)) {
      const next = apply(counts);
      const now = standing(name, { definition, data: next });
      const loss = lossOf(was, now, memoryOf(component), day);
      const gone = vanished(counts, next);
      const vanishing = gone.length > 0 ? [`${listed(gone, 5)}`] : [];
      const about = { ...defined({ cause, key }), components: [name] };
      if (decide(about, [...loss.items, ...gone], [...loss.exceeded, ...vanishing])) continue;
      [counts, was] = [next, now];
    }
    if (!isSameData(counts, after)) data.set(name, counts);
  }

  /** Recorded digests stay until a person accepts other ones. */
  function keepBytes({ name, before, after }: GatedComponent): RecordedData {
    const known = new Map(before.releases.map((release) => [release.version, release]));
    const releases = after.releases.map((release) => {
      const was = known.get(release.version);
      const found = was && findOtherBytes(was, release);
      if (!found) return release;
      const about = { cause: release.source ?? `data/${name}.json`, key: `bytes ${release.version}` };
      if (!decide({ ...about, components: [name] }, found.items, [found.reason])) return release;
      const { digests, republished } = was;
      return defined({ ...release, digests, republished }) as RecordedRelease;
    });
    return { ...after, releases };
  }

  /** Holds release lines of another product than before or than the definition names. */
  function keepProduct({ name, before }: GatedComponent, after: RecordedData): RecordedData {
    const lines = [...Map.groupBy(after.lines ?? [], ({ source }) => source)].flatMap(([cause, stated]) => {
      const known = (before.lines ?? []).filter(({ source }) => source === cause);
      const other = stated.find(({ about }) => about !== undefined)?.about;
      if (other === undefined || known.some(({ about }) => about === other)) return stated;
      const reason = `${cause} states the release lines of ${quote(other)}`;
      const isHeld = decide({ cause, key: 'product', components: [name] }, [reason], [reason]);
      return isHeld ? known : stated;
    });
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
      const isSame = was?.definition === undefined || was.definition === (now?.definition ?? was.definition);
      const isKnown = before.releases.some((entry) => listingSources(entry).includes(source));
      const suspicions = suspicionsOf({
        source,
        added,
        day,
        before: before.releases,
        answeredOn: isSame ? (was?.answeredOn ?? (isKnown ? addDays(day, -1) : undefined)) : undefined,
        isWhole: component.isWhole(source),
        acceptedOn: acceptedOn(name),
      });
      for (const found of suspicions)
        if (waits(found, source, name)) for (const one of found.versions) waiting.add(one);
    }
    return waiting;
  }

  function waits({ kind, versions, items, reason }: Suspicion, cause: string, name: string): boolean {
    const key = versions.length === 1 ? `${kind} ${versions[0]}` : kind;
    return decide({ cause, key, components: [name], versions }, items, [reason]);
  }

  /** If a source has not answered since, its current statement is unknown: the change stays held. */
  function keepUnanswered({ name, freshness }: GatedComponent, definition: Definition): void {
    const sources = [...sourceIds(definition.sources), supportSourceId(definition.support) ?? ''];
    for (const one of known) {
      if (one.instead || !one.components.includes(name) || !sources.includes(one.cause)) continue;
      const { answeredOn = '' } = freshness.after.sources[one.cause] ?? {};
      if (answeredOn <= one.seen && !isAccepted(one.id)) kept.push(one);
    }
  }
  const kept: Held[] = [];

  return {
    isHeldEdit,
    judgeEdit,
    judgeData,
    result(): Gated {
      const unseen = kept.filter((one) => !held.some((other) => isSameCause(one, other)));
      return { data, held: [...held, ...unseen].sort(byCause), taken };
    },
  };
}

/** By source, the held new versions of a component, with the day since which each is held. */
export function waitingVersions(
  held: readonly Held[],
  component: string,
): ReadonlyMap<string, ReadonlyMap<string, Day>> {
  const ofComponent = held.filter(({ components }) => components.includes(component));
  return new Map(
    Array.from(
      Map.groupBy(ofComponent, ({ cause }) => cause),
      ([cause, changes]) => [
        cause,
        new Map(
          changes.flatMap(({ versions = [], since }) => versions.map((version) => [version, since] as const)),
        ),
      ],
    ),
  );
}

/** `components/svc.json`, `site/site.json support`. */
export function editKey({ cause, key }: Pick<Held, 'cause'> & { key?: string | undefined }): string {
  return key === undefined ? cause : `${cause} ${key}`;
}

interface Cause {
  readonly cause: string;
  readonly key?: string | undefined;
  readonly components: readonly string[];
}

function isSameCause(a: Cause, b: Cause): boolean {
  if (editKey(a) !== editKey(b)) return false;
  return a.components.some((name) => b.components.includes(name));
}

function byCause(a: Held, b: Held): number {
  const [left, right] = [a, b].map((one) => `${one.components[0]} ${editKey(one)} ${one.id}`);
  return left! < right! ? -1 : 1;
}

function sumOf(items: readonly string[], names: readonly string[], exceeded: readonly string[]): string {
  return `${counted(items.length, 'change')} for the worse of ${counted(names.length, 'component')} (${listed(exceeded, 3)})`;
}

function vanished(before: RecordedData, after: RecordedData): string[] {
  const versions = new Set(after.releases.map(({ version }) => version));
  const lines = new Set((after.lines ?? []).map(({ line, source }) => `${line} ${source}`));
  return [
    ...before.releases
      .filter(({ version }) => !versions.has(version))
      .map(({ version }) => `${version} no longer recorded`),
    ...(before.lines ?? [])
      .filter(({ line, source }) => !lines.has(`${line} ${source}`))
      .map(({ line }) => `line ${line} no longer recorded`),
  ];
}

function isSameData(a: RecordedData, b: RecordedData): boolean {
  const byVersion = ({ releases, ...rest }: RecordedData) => ({
    ...rest,
    releases: releases.toSorted((x, y) => (x.version < y.version ? -1 : 1)),
  });
  return isDeepStrictEqual(byVersion(a), byVersion(b));
}
