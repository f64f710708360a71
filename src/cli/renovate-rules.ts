import { parseAllowedRange } from '../core/model/allowed-range.ts';
import { compileTransform } from '../core/model/transform.ts';
import { expressionOf, selects } from './renovate-patterns.ts';

/** A package rule of Renovate, as far as it decides what is proposed. */
export interface PackageRule {
  readonly matchDatasources?: readonly string[];
  readonly matchPackageNames?: readonly string[];
  readonly matchDepNames?: readonly string[];
  readonly matchManagers?: readonly string[];
  readonly matchFileNames?: readonly string[];
  readonly matchCurrentValue?: string;
  readonly matchJsonata?: readonly string[];
  readonly allowedVersions?: string;
  readonly ignoreDeprecated?: boolean;
  readonly enabled?: boolean;
  readonly separateMajorMinor?: boolean;
  readonly overrideDatasource?: string;
  readonly [option: string]: unknown;
}

/** A dependency before Renovate asks for its versions. */
export interface Dependency {
  readonly datasource: string;
  readonly packageName: string;
  readonly depName: string;
  readonly manager: string;
  readonly packageFile: string;
  readonly currentValue: string;
  readonly currentVersion: string;
  readonly currentDigest?: string | undefined;
}

/** The decisions of rules about a dependency; a later rule takes precedence. */
interface RuleDecision {
  readonly datasource: string;
  readonly isEnabled: boolean;
  readonly separatesMajors: boolean;
  readonly ignoresDeprecated: boolean;
  isAllowed(version: string): boolean;
}

const decisive = [
  'allowedVersions',
  'ignoreDeprecated',
  'enabled',
  'separateMajorMinor',
  'overrideDatasource',
] as const;

/** The conditions that are known before the versions are. */
const readConditions = new Set([
  'matchDatasources',
  'matchPackageNames',
  'matchDepNames',
  'matchManagers',
  'matchFileNames',
  'matchCurrentValue',
  'matchJsonata',
  // The list of packages has no address for a package.
  'matchRegistryUrls',
]);

export async function applyRules(
  rules: readonly PackageRule[],
  dependency: Dependency,
  separatesMajors: boolean,
): Promise<RuleDecision> {
  let state: PackageRule = { enabled: true, separateMajorMinor: separatesMajors };
  let { datasource } = dependency;

  for (const rule of rules.filter((each) => decisive.some((key) => each[key] !== undefined))) {
    if (await isMatch(rule, { ...dependency, datasource })) {
      state = { ...state, ...rule };
      datasource = rule.overrideDatasource ?? datasource;
    }
  }

  const isAllowed = versionTest(state.allowedVersions);

  return {
    datasource,
    isEnabled: state.enabled !== false,
    separatesMajors: state.separateMajorMinor !== false,
    ignoresDeprecated: state.ignoreDeprecated !== false,
    isAllowed,
  };
}

async function isMatch(rule: PackageRule, dependency: Dependency): Promise<boolean> {
  const conditions = Object.keys(rule).filter((key) => key.startsWith('match'));
  const { datasource, packageName, depName, manager, packageFile, currentValue } = dependency;

  const isSelected =
    conditions.every((key) => readConditions.has(key)) &&
    selectsIn(rule.matchDatasources, datasource) &&
    selectsIn(rule.matchPackageNames, packageName) &&
    selectsIn(rule.matchDepNames, depName) &&
    selectsIn(rule.matchManagers, manager) &&
    selectsIn(rule.matchFileNames, packageFile) &&
    (rule.matchCurrentValue === undefined || selects([rule.matchCurrentValue], currentValue));

  return isSelected && (await isTrue(rule.matchJsonata, dependency));
}

function selectsIn(patterns: readonly string[] | undefined, text: string): boolean {
  return patterns === undefined || selects(patterns, text);
}

async function isTrue(
  expressions: readonly string[] | undefined,
  dependency: Dependency,
): Promise<boolean> {
  for (const expression of expressions ?? []) {
    if ((await compileTransform(expression).evaluate(dependency)) === true) {
      return true;
    }
  }

  return expressions === undefined;
}

function versionTest(allowed: string | undefined): (version: string) => boolean {
  const expression = allowed === undefined ? undefined : expressionOf(allowed);
  if (expression) {
    return (version) => expression.test(version) !== allowed!.startsWith('!');
  }

  return (allowed === undefined ? undefined : parseAllowedRange(allowed)) ?? (() => true);
}
