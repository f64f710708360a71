import { stateOn } from '../policy/component-freshness.ts';
import type { ComponentState } from '../policy/component.ts';
import type { SiteContext } from '../render/site-context.ts';
import { divideAll, renderAllFiles, type Parts } from '../render/all-json.ts';
import { renderSiteFiles } from '../render/site-files.ts';
import { SiteWriter } from './site-writer.ts';
import { readSiteConfig } from '../store/read.ts';
import { listComponents } from '../store/root.ts';
import { readTheme } from './theme.ts';
import { buildComponents, type BuiltComponents } from './build-components.ts';
import { openInputs } from './inputs.ts';
import { loadComponent } from './load-component.ts';
import { recallBuild, rememberBuild, type EarlierBuild, type SiteMemory } from './memory.ts';
import { hasRoomForMore } from './newest-changes.ts';
import { sharedDigest, type BuildOptions, type BuiltSite } from './options.ts';

/** Something that a person wrote is broken. Nothing was written. */
type Refusal = Pick<BuiltSite, 'findings'>;

/**
 * Builds the whole site. What an earlier build made and still holds is taken over, all else is made anew. Where a
 * definition or a recorded file is broken, nothing is written and only the findings come back: a site without one of its
 * components would break the builds of those who use it.
 */
export function buildSite(options: BuildOptions, memory?: SiteMemory): BuiltSite | Refusal {
  const earlier = recallBuild(options, memory);
  return build(options, earlier) ?? build(options, undefined)!;
}

/** Undefined where too little is remembered to build on. */
function build(options: BuildOptions, earlier: EarlierBuild | undefined): BuiltSite | Refusal | undefined {
  const { root, out, day } = options;
  const config = readSiteConfig(root);
  const { names, findings } = listComponents(root);
  findings.push(...config.findings);
  if (!config.value) {
    return { findings: [...findings, ...names.flatMap((name) => loadComponent(root, name, day).findings)] };
  }
  const site = contextOf(options, config.value);
  const inputs = openInputs(root, earlier?.inputs);
  const shared = sharedDigest(inputs, options);
  const writer = new SiteWriter(out, earlier?.outputs);
  try {
    const usable = earlier?.shared === shared ? earlier : undefined;
    const components = buildComponents(names, { root, site, inputs, writer }, usable);
    findings.push(...components.findings);
    if (findings.some((finding) => finding.level === 'error')) return { findings };

    const { summaries } = components;
    const changes = components.changes.all();
    if (usable?.changesFrom !== undefined && hasRoomForMore(changes, usable.changesFrom)) return undefined;
    const parts = writeAllFiles(writer, names, usable, components);
    const digest = inputs.digest();
    const example = summaries.find((summary) => summary.latest) ?? summaries[0];
    const sample = example && loadComponent(root, example.name, day).component;
    const files = renderSiteFiles(site, {
      summaries,
      changes,
      inputs: digest,
      ...(sample && { sample }),
    });
    for (const file of files) writer.add(file);
    const { stamps, ...written } = writer.finish();

    const states = Object.values(components.memories).map(({ state }) => stateAsOf(site, state));
    const memory = { day, shared, digest, inputs: inputs.stamps(), outputs: stamps, states };
    rememberBuild(options, { ...memory, findings }, components, parts);
    return { ...written, components: states, findings };
  } finally {
    writer.discard();
  }
}

/** As `status.json` says it. */
function stateAsOf({ day, config }: SiteContext, component: ComponentState): ComponentState {
  const { freshness } = component;
  return { ...component, freshness: { ...freshness, state: stateOn(freshness, day, config.staleAfterDays) } };
}

/** `all.json` or its parts, from the release files that are placed already. */
function writeAllFiles(
  writer: SiteWriter,
  names: readonly string[],
  earlier: EarlierBuild | undefined,
  { made }: BuiltComponents,
): Parts {
  const pathOf = (name: string) => `${name}.json`;
  const parts = divideAll(names, (name) => writer.lengthOf(pathOf(name)));
  const isSame = (path: string) =>
    parts[path] !== undefined &&
    parts[path].join() === earlier?.parts[path]?.join() &&
    !parts[path].some((name) => made.has(name));
  for (const file of renderAllFiles(parts, (name) => writer.read(pathOf(name)))) {
    if (!isSame(file.path) || !writer.keep([file.path])) writer.add(file);
  }
  return parts;
}

function contextOf({ root, day, baseUrl }: BuildOptions, config: SiteContext['config']): SiteContext {
  return { config, day, baseUrl: baseUrl ?? config.releasesUrl, theme: readTheme(root) };
}
