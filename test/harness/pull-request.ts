import Handlebars from 'handlebars';
import jsonata from 'jsonata';

/** A dependency as Renovate knows it while it applies rules: below a comment, or found by itself. */
export interface PinnedDependency {
  datasource: string;
  packageName: string;
  currentValue: string;
  currentVersion?: string;
  newVersion?: string;
}

interface Rule {
  matchDatasources?: string[];
  matchPackageNames?: string[];
  matchJsonata?: string[];
  prBodyDefinitions?: Record<string, string>;
  prBodyNotes?: string[];
  addLabels?: string[];
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
  { packageRules }: { packageRules: readonly object[] },
  dependency: PinnedDependency,
): Promise<{ note: string; labels: string[] }> {
  const prBodyDefinitions: Record<string, string> = {};
  const config = { ...dependency, prBodyDefinitions };
  const notes: string[] = [];
  const labels: string[] = [];
  for (const rule of packageRules as Rule[]) {
    if (await matches(rule, config)) {
      Object.assign(prBodyDefinitions, rule.prBodyDefinitions);
      notes.push(...(rule.prBodyNotes ?? []));
      labels.push(...(rule.addLabels ?? []));
    }
  }

  const handlebars = Handlebars.create();
  handlebars.registerHelper(helpers);
  const rendered = notes.map((note) => handlebars.compile(note, { noEscape: true })(config).trim());

  return { note: rendered.join('\n'), labels };
}

async function matches(
  { matchDatasources, matchPackageNames, matchJsonata }: Rule,
  config: PinnedDependency,
): Promise<boolean> {
  const { datasource, packageName } = config;
  if (matchDatasources?.includes(datasource) === false) {
    return false;
  }

  const isNamed = (name: string) =>
    name.startsWith('/')
      ? new RegExp(name.slice(1, name.lastIndexOf('/')), 'i').test(packageName)
      : name === packageName;
  if (matchPackageNames?.some(isNamed) === false) {
    return false;
  }

  const conditions = matchJsonata ?? ['true'];
  const results = await Promise.all(conditions.map((text) => jsonata(text).evaluate(config)));

  return results.includes(true);
}
