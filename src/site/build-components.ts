import type { Day } from '../dates.ts';
import { maxChangesPerComponent } from '../policy/change.ts';
import { stateOf, summarise, type ComponentSummary } from '../policy/component.ts';
import type { SiteContext } from '../render/site-context.ts';
import type { Finding } from '../model/finding.ts';
import { changesOf } from '../policy/changes.ts';
import { maxFeedEntries } from '../render/atom.ts';
import { renderComponentFiles } from '../render/component-files.ts';
import type { SiteWriter } from './site-writer.ts';
import type { Root } from '../store/root.ts';
import type { Inputs } from './inputs.ts';
import { loadComponent } from './load-component.ts';
import type { ComponentMemory, EarlierBuild } from './memory.ts';
import { forgetChanges, NewestChanges } from './newest-changes.ts';

export interface BuiltComponents {
  /** In the order of names. */
  summaries: ComponentSummary[];
  changes: NewestChanges;
  memories: Record<string, ComponentMemory>;
  /** Names of those that were made anew. */
  made: Set<string>;
  findings: Finding[];
}

interface Context {
  root: Root;
  site: SiteContext;
  inputs: Inputs;
  writer: SiteWriter;
}

interface BuiltComponent {
  summary: ComponentSummary;
  memory: ComponentMemory;
}

/** Writes the files of every component; holds the releases of one at a time. */
export function buildComponents(
  names: readonly string[],
  context: Context,
  earlier: EarlierBuild | undefined,
): BuiltComponents {
  const built: BuiltComponents = {
    summaries: [],
    changes: new NewestChanges(),
    memories: {},
    made: new Set(),
    findings: [],
  };
  for (const name of names) {
    const kept = earlier && keepComponent(name, context, earlier);
    const { component, findings } = kept
      ? { component: kept, findings: kept.memory.findings }
      : makeComponent(name, context, built.changes.from);
    built.findings.push(...findings);
    if (!component) continue;
    if (!kept) built.made.add(name);
    built.summaries.push(forgetChanges(component.summary, built.changes.from));
    built.changes.add(built.summaries.at(-1)!.changes);
    built.memories[name] = component.memory;
  }
  built.changes.all();
  built.summaries = built.summaries.map((summary) => forgetChanges(summary, built.changes.from));
  return built;
}

/** Takes over the files of an earlier build, if they hold on the day and nobody touched them. */
function keepComponent(
  name: string,
  { site, inputs, writer }: Context,
  { components, summaries }: EarlierBuild,
): BuiltComponent | undefined {
  const memory = components[name];
  const summary = summaries[name];
  if (!memory || !summary || !holdsOn(memory, site.day)) return undefined;
  // Its page names the newest version of another component.
  if (summary.definition.replacedBy !== undefined) return undefined;
  if (memory.digest !== inputs.digestOf(name) || !writer.keep(memory.files)) return undefined;
  return { summary, memory };
}

/**
 * Without a component where its files are broken; the findings say how. `changesFrom`: changes of earlier days are told
 * only where the component's own documents show them.
 */
function makeComponent(
  name: string,
  { root, site, inputs, writer }: Context,
  changesFrom: Day | undefined,
): { component?: BuiltComponent; findings: readonly Finding[] } {
  const digest = inputs.digestOf(name);
  const { component, until, findings } = loadComponent(root, name, site.day, inputs.read);
  if (!component) return { findings };
  const changes = changesOf(component, {
    atMost: maxChangesPerComponent,
    ...(changesFrom !== undefined && { atLeast: maxFeedEntries, from: changesFrom }),
  });
  const files: string[] = [];
  for (const file of renderComponentFiles(component, changes, site)) {
    writer.add(file);
    files.push(file.path);
  }
  const summary = summarise(component, changes);
  const memory: ComponentMemory = {
    digest,
    from: site.day,
    ...(until !== undefined && { until }),
    files,
    findings,
    state: stateOf(summary),
  };
  return { component: { summary, memory }, findings };
}

function holdsOn({ from, until }: ComponentMemory, day: Day): boolean {
  return from <= day && (until === undefined || day < until);
}
