import { cutDay, type Day } from '../core/model/dates.ts';
import { collectStatedBy } from '../core/model/pair-answers.ts';
import { computeFreshness } from '../core/model/states.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import { listSourceIds } from '../core/schemas/definition/source-ids.ts';
import { isOsv } from '../core/schemas/definition/source.ts';
import type { WorksWith } from '../core/schemas/definition/works-with.ts';
import type { Finding } from '../core/schemas/finding.ts';
import type { Freshness } from '../core/schemas/recorded/freshness.ts';
import type { Wait } from '../core/schemas/recorded/waits.ts';
import type { RecordedRelease } from '../core/schemas/recorded/recorded.ts';
import {
  describeFreshness,
  type ComponentFreshness,
  type Trouble,
} from '../decide/component-freshness.ts';
import type { Component } from '../decide/component.ts';
import { judgeRecorded } from '../decide/judge.ts';
import {
  listRuns,
  readJournal,
  readLastWaits,
  readFreshness,
  readRecordedData,
} from '../io/files/recorded-files.ts';
import { listComponents, type Root } from '../io/files/root.ts';
import {
  readDefinition,
  readDefinitions,
  type DefinitionResult,
} from '../record/read-definition.ts';

interface LoadedComponent {
  /** Absent without a valid definition, and if a recorded file is invalid; the findings give the reason. */
  component?: Component;
  findings: Finding[];
}

/** Values in place of those in the files of a component, and facts from elsewhere. */
interface Overrides {
  definition?: DefinitionResult | undefined;
  releases?: readonly RecordedRelease[] | undefined;
  /** The statements of other components about it. */
  statedBy?: WorksWith | undefined;
  /** The waits of all components, for its freshness. */
  waits?: readonly Wait[];
}

/** Reads the files of a component and judges its releases as of a day. Also loads its replacement. */
export function loadComponent(
  root: Root,
  name: string,
  day: Day,
  overrides?: Overrides,
): LoadedComponent {
  const result = loadFiles(root, name, day, overrides);
  const { component } = result;
  if (component?.definition.replacedBy === undefined) {
    return result;
  }

  const { component: replacement } = loadFiles(root, component.definition.replacedBy, day);
  return replacement ? { ...result, component: { ...component, replacement } } : result;
}

/** The component with its freshness as `status.json` and pages state it on a day. */
export function addStateOn(component: Component, day: Day, staleAfterDays: number): Component {
  const { freshness } = component;
  const state = computeFreshness(freshness.state, freshness.checkedOn, day, staleAfterDays);
  return { ...component, freshness: { ...freshness, state } };
}

/** Returns a function that loads a component by its name, with the statements of other components about it. */
export function createComponentLoader(
  root: Root,
  day: Day,
  definitions: ReadonlyMap<string, DefinitionResult>,
): (name: string) => LoadedComponent {
  const statements = collectStatedBy(definitions);
  const waits = readLastWaits(root);

  return (name) =>
    loadComponent(root, name, day, {
      definition: definitions.get(name),
      statedBy: statements.get(name),
      waits,
    });
}

/** All readable components, and the problems in the files of all components. */
export function loadComponents(
  root: Root,
  day: Day,
): { components: Component[]; findings: Finding[] } {
  const { names, findings } = listComponents(root);
  const load = createComponentLoader(root, day, readDefinitions(root, names));
  const components: Component[] = [];

  for (const name of names) {
    const result = load(name);
    findings.push(...result.findings);
    if (result.component) {
      components.push(result.component);
    }
  }

  return { components, findings };
}

/** The recorded events of a component up to a day. */
export function readEvents(root: Root, name: string, day: Day) {
  const { value, findings } = readJournal(root, name);
  return { value: value?.values.filter(({ at }) => cutDay(at) <= day), findings };
}

/** The runs up to a day, newest first. */
export function readRunsUntil(root: Root, day: Day) {
  const { runs, findings } = listRuns(root);
  return { runs: runs.filter(({ asOf }) => asOf <= day).reverse(), findings };
}

function loadFiles(root: Root, name: string, day: Day, overrides: Overrides = {}): LoadedComponent {
  const { statedBy, waits = [] } = overrides;
  const definitionFile = overrides.definition ?? readDefinition(root, name);
  const recorded = readRecordedData(root, name);
  const freshness = readFreshness(root, name);
  const events = readEvents(root, name, day);
  const files = [definitionFile, recorded, freshness, events];
  const findings = files.flatMap((file) => file.findings);

  const { value: definition, inherited } = definitionFile;
  if (!definition || !recorded.value || !freshness.value || !events.value) {
    return { findings };
  }

  const releases = overrides.releases ?? recorded.value.releases;
  const data = { ...recorded.value, releases: [...releases] };
  const judged = judgeRecorded(name, definition, data, day);
  const { findings: releaseFindings, judgement, ...component } = judged;
  const watchesAdvisories =
    judgement.watchesAdvisories && hasEveryAnswer(definition, freshness.value);

  const journal = events.value;
  const freshnessOnDay = describeFreshness(definition, freshness.value, { releases, journal }, day);

  return {
    component: {
      ...component,
      judgement: { ...judgement, watchesAdvisories },
      inherited,
      statedBy,
      journal,
      freshness: addWaits(freshnessOnDay, waits, name),
    },
    findings: [...findings, ...releaseFindings],
  };
}

/**
 * Whether every source of advisories has answered. For a single source, `watchesAdvisories` of the judgement says so already, by its
 * recorded advisories.
 */
function hasEveryAnswer({ sources }: Definition, freshness: Freshness): boolean {
  const ids = listSourceIds(sources.filter(isOsv));
  return ids.length < 2 || ids.every((id) => freshness.sources[id]?.answeredOn !== undefined);
}

/** Adds the waits of a component: a trouble for each source or edited file whose change waits for a person. */
function addWaits(
  freshness: ComponentFreshness,
  allWaits: readonly Wait[],
  name: string,
): ComponentFreshness {
  const ownWaits = allWaits.filter(({ component }) => component === name);
  const troubles = ownWaits.flatMap(({ causes, kind: waits, reason, since: heldSince, id }) =>
    causes.map((source): Trouble => ({
      source,
      kind: 'held',
      reason,
      failures: 0,
      heldSince,
      waits,
      id,
    })),
  );

  return troubles.length === 0
    ? freshness
    : { ...freshness, state: 'held', troubles: [...troubles, ...freshness.troubles] };
}
