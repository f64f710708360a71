import { detailsOf } from '../decide/details.ts';
import type { Day } from '../core/dates.ts';
import type { AccessConfig } from '../core/schemas/access-config.ts';
import type { Finding } from '../core/schemas/finding.ts';
import type { SiteConfig } from '../core/schemas/site-config.ts';
import { changesOf } from '../decide/changes.ts';
import { stateOn } from '../decide/component-freshness.ts';
import { stateOf, summarise, type ComponentState, type ComponentSummary } from '../decide/component.ts';
import { openChangeLog, type ChangeLog } from './render/change-log.ts';
import { openParts } from './render/parts.ts';
import { renderSearchedComponent } from './render/search-json.ts';
import { renderComponentFiles } from './render/component-files.ts';
import type { SiteContext } from './render/site-context.ts';
import { renderSiteFiles, type SiteInput } from './render/site-files.ts';
import { readPolicies } from '../io/files/policies.ts';
import { readAccessConfig, readSiteConfig } from '../io/files/read.ts';
import { listComponents, type Root } from '../io/files/root.ts';
import { checkComponentNames } from './component-names.ts';
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
  const access = readAccessConfig(root);
  const clashes = checkComponentNames(root, names);
  const { policies, findings: ofPolicies } = readPolicies(root, day);
  findings.push(...config.findings, ...access.findings, ...clashes, ...ofPolicies);
  if (!config.value || clashes.length > 0) {
    return { findings: [...findings, ...names.flatMap((name) => loadComponent(root, name, day).findings)] };
  }
  findings.push(...checkTheme(root, config.value));
  const site = contextOf(options, config.value, access.value);
  const writer = openSiteWriter(out);
  try {
    const components = writeComponents(names, root, site, writer);
    findings.push(...components.findings);
    if (findings.some((finding) => finding.level === 'error')) return { findings };
    writeSiteFiles({ ...components, policies: [...policies.values()], inputs }, root, site, writer);
    const states = components.summaries.map((summary) => stateAsOf(site, stateOf(summary)));
    return { ...writer.finish(), components: states, findings };
  } finally {
    writer.discard();
  }
}

function contextOf(
  { root, day, baseUrl }: BuildOptions,
  config: SiteConfig,
  access: AccessConfig | undefined,
): SiteContext {
  return { config, access, day, baseUrl: baseUrl ?? config.releasesUrl, theme: readTheme(root) };
}

/** Holds the releases of one component at a time: only the summaries stay, and the changes. A broken component has none. */
function writeComponents(
  names: readonly string[],
  root: Root,
  site: SiteContext,
  writer: SiteWriter,
): {
  summaries: ComponentSummary[];
  changeLog: ChangeLog;
  findings: Finding[];
} {
  const summaries: ComponentSummary[] = [];
  const changeLog = openChangeLog();
  const [all, search] = [openParts('all', writer.add), openParts('search', writer.add)];
  const findings: Finding[] = [];
  for (const name of names) {
    const { component, findings: ofComponent } = loadComponent(root, name, site.day);
    findings.push(...ofComponent);
    if (!component) continue;
    const changes = changesOf(component);
    const details = detailsOf(component);
    for (const file of renderComponentFiles(component, details, changes, site)) {
      writer.add(file);
      if (file.path === `${name}.json`) all.add(name, file.body);
    }
    changeLog.add(changes);
    summaries.push(summarise(component));
    search.add(name, renderSearchedComponent(details, component.judgement));
  }
  for (const parts of [all, search]) parts.finish();
  return { summaries, changeLog, findings };
}

/** The files about all components. The documentation takes its examples from the first component that has any to give. */
function writeSiteFiles(
  { changeLog, ...input }: Pick<SiteInput, 'summaries' | 'policies' | 'inputs'> & { changeLog: ChangeLog },
  root: Root,
  site: SiteContext,
  writer: SiteWriter,
): void {
  const { summaries } = input;
  const example = summaries.find((summary) => summary.latest) ?? summaries[0];
  const sample = example && loadComponent(root, example.name, site.day).component;
  const files = renderSiteFiles(site, {
    ...input,
    changes: changeLog.newest(),
    years: changeLog.years(),
    ...(sample && { sample }),
  });
  for (const file of files) writer.add(file);
  for (const file of changeLog.yearFiles()) writer.add(file);
}

/** As `status.json` says it. */
function stateAsOf({ day, config }: SiteContext, component: ComponentState): ComponentState {
  const { freshness } = component;
  return { ...component, freshness: { ...freshness, state: stateOn(freshness, day, config.staleAfterDays) } };
}
