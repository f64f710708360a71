import Handlebars from 'handlebars';
import jsonata from 'jsonata';

/** A dependency as Renovate knows it while it applies rules: below a comment, or found by itself. */
export interface PinnedDependency {
  manager?: string;
  datasource: string;
  packageName: string;
  currentValue: string;
  currentVersion?: string;
  version?: string;
  newVersion?: string;
  updateType?: string;
}

interface Config extends PinnedDependency {
  prBodyDefinitions: Record<string, string>;
  prBodyNotes: string[];
  addLabels: string[];
  [option: string]: unknown;
}

interface Rule extends Partial<Pick<Config, 'prBodyDefinitions' | 'prBodyNotes' | 'addLabels'>> {
  matchManagers?: string[];
  matchDatasources?: string[];
  matchPackageNames?: string[];
  matchCurrentValue?: string;
  matchUpdateTypes?: string[];
  matchJsonata?: string[];
}

interface Preset {
  packageRules: readonly object[];
}

/** The helpers of Renovate that notes use (renovatebot/renovate, lib/util/template/index.ts). */
const helpers = {
  split: (text: unknown, separator: unknown) =>
    typeof text === 'string' && typeof separator === 'string' ? text.split(separator) : [],
  replace: (find: string, replacement: string, text?: string | null) =>
    (text ?? '').replace(new RegExp(find, 'g'), replacement),
  lowercase: (text?: string) => text?.toLowerCase(),
  equals: (a: unknown, b: unknown) => a === b,
  or: (...values: unknown[]) => values.slice(0, -1).some(Boolean),
};

/** The note and the labels that the rules of a preset give a pull request, without Renovate. */
export async function describePullRequest(
  preset: Preset,
  dependency: PinnedDependency,
): Promise<{ note: string; labels: string[] }> {
  const config = await applyRules(preset, dependency);
  const notes = config.prBodyNotes.map((note) => fillTemplate(note, config).trim());

  return { note: notes.filter(Boolean).join('\n'), labels: config.addLabels };
}

/** A dependency with the options that the rules of a preset give it, as Renovate merges them. */
export async function applyRules(
  { packageRules }: Preset,
  dependency: PinnedDependency,
): Promise<Config> {
  const config: Config = { ...dependency, prBodyDefinitions: {}, prBodyNotes: [], addLabels: [] };
  for (const rule of packageRules as Rule[]) {
    if (await matches(rule, config)) {
      const { prBodyDefinitions, prBodyNotes = [], addLabels = [], ...options } = rule;
      Object.assign(config, options);
      Object.assign(config.prBodyDefinitions, prBodyDefinitions);
      config.prBodyNotes.push(...prBodyNotes);
      config.addLabels.push(...addLabels);
    }
  }

  return config;
}

export function fillTemplate(template: string, view: object): string {
  const handlebars = Handlebars.create();
  handlebars.registerHelper(helpers);

  return handlebars.compile(template, { noEscape: true })(view);
}

async function matches(rule: Rule, config: Config): Promise<boolean> {
  const { manager = '', datasource, packageName, currentValue, updateType = '' } = config;
  const conditions = [
    [rule.matchManagers, manager],
    [rule.matchDatasources, datasource],
    [rule.matchPackageNames, packageName],
    [rule.matchCurrentValue && [rule.matchCurrentValue], currentValue],
    [rule.matchUpdateTypes, updateType],
  ] as const;
  if (conditions.some(([patterns, value]) => patterns && !isMatch(patterns, value))) {
    return false;
  }

  const expressions = rule.matchJsonata ?? ['true'];
  const results = await Promise.all(expressions.map((text) => jsonata(text).evaluate(config)));

  return results.includes(true);
}

/** `/…/` and `/…/i` are expressions. */
function isMatch(patterns: readonly string[], value: string): boolean {
  return patterns.some((pattern) => {
    const [, expression, flags] = /^\/(.+)\/(i?)$/.exec(pattern) ?? [];
    return expression === undefined ? pattern === value : new RegExp(expression, flags).test(value);
  });
}
