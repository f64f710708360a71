import { dayOf, type Day } from '../core/dates.ts';
import type { Definition } from '../core/schemas/definition.ts';
import type { StatedAdvisory } from '../decide/advisories.ts';
import type { Finding } from '../core/schemas/finding.ts';
import type { Identifiers } from '../core/schemas/identifiers.ts';
import type { RecordedData, RecordedRelease } from '../core/schemas/recorded.ts';
import { sourceIds } from '../core/schemas/source.ts';
import { statedLinesIn } from '../decide/lines.ts';
import { defined, distinct } from '../core/text.ts';
import { describeFreshness, type ComponentFreshness } from '../decide/component-freshness.ts';
import type { Component, Replacement } from '../decide/component.ts';
import { judge } from '../decide/judge.ts';
import { normaliseReleases } from '../decide/releases.ts';
import { readFreshness, readRecordedData } from '../io/files/read.ts';
import { readDefinition, type HeldEdit, type ReadDefinition } from '../record/definition.ts';
import { readJournal } from '../io/files/journal.ts';
import { listComponents, type Root } from '../io/files/root.ts';
import { packagesOf } from './render/packages.ts';

export interface LoadedComponent {
  /** Absent if a file could not be used; the findings say why. */
  component?: Component;
  findings: Finding[];
}

/** To use instead of the files of a component. */
export interface Instead {
  definition?: ReadDefinition | undefined;
  releases?: readonly RecordedRelease[];
}

/** Reads the files of a component and judges its releases as of a day. Its replacement is loaded as well. */
export function loadComponent(root: Root, name: string, day: Day, instead?: Instead): LoadedComponent {
  const loaded = loadOne(root, name, day, instead);
  const replacedBy = loaded.component?.definition.replacedBy;
  if (!loaded.component || replacedBy === undefined || replacedBy === name) return loaded;
  const replacement = replacementOf(loadOne(root, replacedBy, day).component);
  return replacement ? { ...loaded, component: { ...loaded.component, replacement } } : loaded;
}

/** Every component that can be read, and the problems of all their files. */
export function loadComponents(root: Root, day: Day): { components: Component[]; findings: Finding[] } {
  const { names, findings } = listComponents(root);
  const loaded = names.map((name) => loadComponent(root, name, day));
  return {
    components: loaded.flatMap(({ component }) => component ?? []),
    findings: [...findings, ...loaded.flatMap((one) => one.findings)],
  };
}

function replacementOf(component: Component | undefined): Replacement | undefined {
  const latest = component?.judgement.latest;
  if (!latest) return undefined;
  const { version, changelogUrl = component.definition.changelogUrl } = latest;
  return { name: component.name, version, changelogUrl };
}

function loadOne(root: Root, name: string, day: Day, instead: Instead = {}): LoadedComponent {
  const { definition = readDefinition(root, name) } = instead;
  const recorded = readRecordedData(root, name);
  const freshness = readFreshness(root, name);
  const journal = readJournal(root, name);
  const findings = [definition, recorded, freshness, journal].flatMap((read) => read.findings);
  if (!definition.value || !recorded.value || !freshness.value || !journal.value) return { findings };
  const events = journal.value.values.filter(({ at }) => dayOf(at) <= day);

  const releases = instead.releases ?? recorded.value.releases;
  const stated = statedLinesIn(recorded.value, definition.value);
  const normalised = normaliseReleases(name, definition.value, releases, day, stated);
  return {
    component: {
      name,
      definition: definition.value,
      inherited: definition.inherited,
      judgement: judge(
        normalised.releases,
        definition.value,
        day,
        advisoriesIn(recorded.value, definition.value),
        stated,
      ),
      unadmitted: normalised.unadmitted,
      journal: events,
      freshness: withHeldEdit(
        name,
        definition.held,
        describeFreshness(definition.value, freshness.value, releases, day, events),
      ),
      identifiers: identifiersOf(definition.value),
    },
    findings: [...findings, ...normalised.findings],
  };
}

/** An edit that waits is shown as an answer that waits: at every door, until a person accepts it. */
function withHeldEdit(
  name: string,
  held: HeldEdit | undefined,
  freshness: ComponentFreshness,
): ComponentFreshness {
  if (!held) return freshness;
  const { since: heldSince, reason } = held;
  const trouble = {
    source: `components/${name}.json`,
    kind: 'held',
    reason,
    failures: 0,
    heldSince,
  } as const;
  return { ...freshness, state: 'held', troubles: [trouble, ...freshness.troubles] };
}

/** A source that the definition no longer names has no say. */
function advisoriesIn({ advisories = [] }: RecordedData, { sources }: Definition): StatedAdvisory[] {
  const ids = sourceIds(sources);
  return advisories.flatMap(({ source: id, ...advisory }) => {
    const source = sources[ids.indexOf(id)];
    // The database behind the API is curated by others than publishers.
    return source ? { ...advisory, isTrusted: source.trusted ?? source.url === undefined } : [];
  });
}

function identifiersOf(definition: Definition): Identifiers | undefined {
  const purl = distinct([...packagesOf([['', definition]]).keys()]);
  const identifiers = defined({ purl, cpe: definition.identifiers?.cpe });
  return Object.keys(identifiers).length > 0 ? identifiers : undefined;
}
