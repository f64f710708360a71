import type { Day } from '../dates.ts';
import type { Finding } from '../model/finding.ts';
import type { SiteConfig } from '../model/site-config.ts';
import { maxChangesPerComponent } from '../policy/change.ts';
import { changesOf } from '../policy/changes.ts';
import { stateOn } from '../policy/component-freshness.ts';
import { stateOf, summarise, type ComponentState, type ComponentSummary } from '../policy/component.ts';
import { divideAll, renderAllFiles } from '../render/all-json.ts';
import { newestOf } from '../render/site-json.ts';
import { renderComponentFiles } from '../render/component-files.ts';
import type { SiteContext } from '../render/site-context.ts';
import { renderSiteFiles } from '../render/site-files.ts';
import { readSiteConfig } from '../store/read.ts';
import { listComponents, type Root } from '../store/root.ts';
import { digestInputs } from './inputs.ts';
import { loadComponent } from './load-component.ts';
import { openSiteWriter, type SiteWriter, type WrittenSite } from './site-writer.ts';
import { checkTheme, readTheme } from './theme.ts';

export interface BuildOptions {
  root: Root;
  /** Absolute. */
  out: string;
  day: Day;
  baseUrl?: string;
}

export interface BuildResult extends WrittenSite {
  components: readonly ComponentState[];
  findings: readonly Finding[];
}

/** Something that a person wrote is broken. Nothing was written. */
type Refusal = Pick<BuildResult, 'findings'>;

/**
 * Builds the whole site. Where a definition or a recorded file is broken, nothing is written and only the findings come
 * back: a site without one of its components would break the builds of those who use it.
 */
export function buildSite(options: BuildOptions): BuildResult | Refusal {
  const { root, out, day } = options;
  // First of all, so that a site counts as outdated if a file of it changes during the build.
  const inputs = digestInputs(root);
  const { names, findings } = listComponents(root);
  const config = readSiteConfig(root);
  findings.push(...config.findings);
  if (!config.value) {
    return { findings: [...findings, ...names.flatMap((name) => loadComponent(root, name, day).findings)] };
  }
  findings.push(...checkTheme(root, config.value));
  const site = contextOf(options, config.value);
  const writer = openSiteWriter(out);
  try {
    const components = writeComponents(names, root, site, writer);
    findings.push(...components.findings);
    if (findings.some((finding) => finding.level === 'error')) return { findings };
    writeAllFiles(names, writer);
    writeSiteFiles(components.summaries, inputs, root, site, writer);
    const states = components.summaries.map((summary) => stateAsOf(site, stateOf(summary)));
    return { ...writer.finish(), components: states, findings };
  } finally {
    writer.discard();
  }
}

function contextOf({ root, day, baseUrl }: BuildOptions, config: SiteConfig): SiteContext {
  return { config, day, baseUrl: baseUrl ?? config.releasesUrl, theme: readTheme(root) };
}

/** Holds the releases of one component at a time: only the summaries stay. A broken component has none. */
function writeComponents(
  names: readonly string[],
  root: Root,
  site: SiteContext,
  writer: SiteWriter,
): { summaries: ComponentSummary[]; findings: Finding[] } {
  const summaries: ComponentSummary[] = [];
  const findings: Finding[] = [];
  for (const name of names) {
    const { component, findings: ofComponent } = loadComponent(root, name, site.day);
    findings.push(...ofComponent);
    if (!component) continue;
    const changes = changesOf(component).slice(0, maxChangesPerComponent);
    for (const file of renderComponentFiles(component, changes, site)) writer.add(file);
    summaries.push(summarise(component, changes));
  }
  return { summaries, findings };
}

/** `all.json` or its parts, from the release files that were written before. */
function writeAllFiles(names: readonly string[], writer: SiteWriter): void {
  const documentOf = (name: string) => writer.read(`${name}.json`);
  const parts = divideAll(names, (name) => documentOf(name).length);
  for (const file of renderAllFiles(parts, documentOf)) writer.add(file);
}

/** The files about all components. The documentation takes its examples from the first component that has any to give. */
function writeSiteFiles(
  summaries: readonly ComponentSummary[],
  inputs: string,
  root: Root,
  site: SiteContext,
  writer: SiteWriter,
): void {
  const example = summaries.find((summary) => summary.latest) ?? summaries[0];
  const sample = example && loadComponent(root, example.name, site.day).component;
  const files = renderSiteFiles(site, {
    summaries,
    changes: newestOf(summaries.flatMap((summary) => summary.changes)),
    inputs,
    ...(sample && { sample }),
  });
  for (const file of files) writer.add(file);
}

/** As `status.json` says it. */
function stateAsOf({ day, config }: SiteContext, component: ComponentState): ComponentState {
  const { freshness } = component;
  return { ...component, freshness: { ...freshness, state: stateOn(freshness, day, config.staleAfterDays) } };
}
