/** The policies of a scan, and the exceptions from them. */
import type { Day } from '../../core/model/dates.ts';
import { parsePolicyQuery, type ReadPolicy } from '../../core/query/query-terms.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import { didYouMean } from '../../core/text/wording.ts';
import { pick } from '../../core/model/objects.ts';
import { joinPackage, normalisePackage } from '../../core/model/purl.ts';
import type {
  ScanException,
  PublishedNamedPolicy,
} from '../../core/schemas/published/policy-scan.ts';
import { createVersionTest } from '../../core/model/version-range.ts';
import { quote } from '../../core/text/foreign-text.ts';
import type { ScannedItem } from './scan-results.ts';

/** The policies of a scan that names none. */
export const defaultPolicies = ['supported', 'secure'] as const;

/** Parses the query of a policy, as of a day. Throws a `QuestionError` if a newer program wrote the query. */
export function parsePublishedPolicy(policy: PublishedNamedPolicy, day: Day): ReadPolicy {
  return { ...policy, selects: parsePolicyQuery(policy.query, day) };
}

/** Throws a `QuestionError`. */
export function findPolicyNamed(
  policies: readonly PublishedNamedPolicy[],
  name: string,
): PublishedNamedPolicy {
  const policy = policies.find((each) => each.name === name);
  if (policy) {
    return policy;
  }

  const names = policies.map((each) => each.name);
  throw new QuestionError('unknown', describeUnknownPolicy(name, names));
}

/** A message with a suggestion and all policies. */
export function describeUnknownPolicy(name: string, names: readonly string[]): string {
  return `There is no policy ${JSON.stringify(name)}.${didYouMean(name, names)} Policies are ${names.join(', ')}.`;
}

/** The results with exceptions applied, and warnings for the owner of the exceptions. */
interface AppliedExceptions {
  readonly scanned: readonly ScannedItem[];
  /** About exceptions that have ended or match no result. */
  readonly warnings: readonly string[];
}

/** Excepts results that do not satisfy a policy or are unknown, until the last day of an exception. */
export function applyExceptions(
  scanned: readonly ScannedItem[],
  exceptions: readonly ScanException[],
  day: Day,
): AppliedExceptions {
  const tests = exceptions.map(createTest);
  const used = new Set<ScanException>();
  const results: ScannedItem[] = [];

  for (const result of scanned) {
    const isFailure = ['unsatisfied', 'unknown'].includes(result.scan.status);
    const matching = exceptions.filter((_, index) => isFailure && tests[index]?.(result));
    results.push(applyFirst(matching, result, day));
    for (const exception of matching) {
      used.add(exception);
    }
  }

  return { scanned: results, warnings: listWarnings(exceptions, used, day) };
}

function listWarnings(
  exceptions: readonly ScanException[],
  used: ReadonlySet<ScanException>,
  day: Day,
): string[] {
  const warnings: string[] = [];
  for (const exception of exceptions) {
    const { package: name, versions, policy, reason, until } = exception;
    const subject = `${quote(name)} ${[versions].flat().join(', ')} (${policy})`;
    if (!used.has(exception)) {
      warnings.push(`${subject}: matches no failure; remove the exception or correct it`);
    } else if (until < day) {
      warnings.push(
        `${subject}: ended on ${until} and no longer applies; upgrade, or extend it. Its reason was: ${reason}`,
      );
    }
  }
  return warnings;
}

/** Applies the first exception that has not ended. An ended one is only named in the result. */
function applyFirst(
  matching: readonly ScanException[],
  result: ScannedItem,
  day: Day,
): ScannedItem {
  const valid = matching.find(({ until }) => day <= until);
  const exception = valid ?? matching[0];
  if (!exception) {
    return result;
  }

  const { scan } = result;
  const details = { ...scan.details, exception: pick(exception, ['reason', 'until']) };
  return { ...result, scan: { ...scan, status: valid ? 'excepted' : scan.status, details } };
}

/** A test whether an exception names the package, the version and the policy of a result. */
function createTest(exception: ScanException): (scanned: ScannedItem) => boolean {
  const name = normalisePackage(exception.package);
  const isOfVersions = createVersionTest(exception.versions);
  return (result) =>
    listExceptionNames(result).includes(name) &&
    result.policy.name === exception.policy &&
    isOfVersions(result.scan.details.version ?? '');
}

/** The names by which an exception may be about a result: the component, also as a package URL, and the package. */
function listExceptionNames({ item: { purl }, scan }: ScannedItem): string[] {
  const { component } = scan.details;
  const names = component === undefined ? [] : [component, `pkg:generic/${component}`];
  return purl ? [...names, joinPackage(purl)] : names;
}
