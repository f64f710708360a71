import type { Day } from '../dates.ts';
import { summarise, type Component, type ComponentSummary, type SiteContext } from '../model/component.ts';
import type { Finding } from '../model/finding.ts';
import { renderComponentFiles } from '../render/component-files.ts';
import { renderSiteFiles } from '../render/site-files.ts';
import { SiteWriter, type WrittenSite } from '../site-folder/write.ts';
import { listComponents, readSiteConfig, type Root } from '../store/root.ts';
import { readTheme } from '../store/theme.ts';
import { digestInputs } from './inputs.ts';
import { loadComponent } from './load.ts';

export interface BuildOptions {
  root: Root;
  /** Absolute. */
  out: string;
  day: Day;
  baseUrl?: string;
}

export interface BuiltSite extends WrittenSite {
  summaries: ComponentSummary[];
  findings: Finding[];
}

/**
 * Builds the whole site. Where a definition or a recorded file is broken, nothing is written and only the findings come
 * back: a site without one of its components would break the builds of those who use it.
 */
export function buildSite({ root, out, day, baseUrl }: BuildOptions): BuiltSite | { findings: Finding[] } {
  const config = readSiteConfig(root);
  const { names, findings } = listComponents(root);
  findings.push(...config.findings);
  const inputs = digestInputs(root);
  const writer = new SiteWriter(out);
  try {
    const summaries: ComponentSummary[] = [];
    const releaseTexts = new Map<string, string>();
    let sample: Component | undefined;
    const site = config.value && contextOf(root, config.value, day, baseUrl);
    for (const name of names) {
      const loaded = loadComponent(root, name, day);
      findings.push(...loaded.findings);
      if (!loaded.component || !site) continue;
      const files = renderComponentFiles(loaded.component, site);
      for (const file of files) writer.add(file);
      releaseTexts.set(name, files[0].body as string);
      summaries.push(summarise(loaded.component));
      sample = betterSample(sample, loaded.component);
    }
    if (!site || findings.some((finding) => finding.level === 'error')) {
      writer.discard();
      return { findings };
    }
    for (const file of renderSiteFiles(site, { summaries, releaseTexts, inputs, ...(sample && { sample }) }))
      writer.add(file);
    return { ...writer.finish(), summaries, findings };
  } catch (error) {
    writer.discard();
    throw error;
  }
}

/** The examples of the documentation are of the first component that has a latest version. */
function betterSample(sample: Component | undefined, component: Component): Component {
  if (!sample || (!sample.judgement.latest && component.judgement.latest)) return component;
  return sample;
}

function contextOf(
  root: Root,
  config: SiteContext['config'],
  day: Day,
  baseUrl: string | undefined,
): SiteContext {
  return { config, day, baseUrl: baseUrl ?? config.releasesUrl, theme: readTheme(root) };
}
