import { join } from 'node:path';
import type { Day } from '../../core/model/dates.ts';
import { parsePolicyQuery, listUnitNotes } from '../../core/query/query-terms.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import type { AccessConfig } from '../../core/schemas/access/access-config.ts';
import { ReadAccessConfig } from '../../core/schemas/access/access-layout.ts';
import { componentName } from '../../core/schemas/definition/component-name.ts';
import { SiteConfig } from '../../core/schemas/definition/site-config.ts';
import { fileProblem, throwErrors, type Finding } from '../../core/schemas/finding.ts';
import { NamedPolicy } from '../../core/schemas/published/policy-scan.ts';
import type { ReadPolicy } from '../../core/schemas/published/small-files.ts';
import {
  readFreshnessOn,
  RecordedFreshness,
  type Freshness,
} from '../../core/schemas/recorded/freshness.ts';
import { RecordedData } from '../../core/schemas/recorded/recorded.ts';
import { endSentence } from '../../core/text/wording.ts';
import { readData } from '../program.ts';
import { isAbsent } from './file-system.ts';
import { findLastAskedDay } from './journal-files.ts';
import { readDocument, unwrapResult, type ReadResult } from './read-documents.ts';
import { freshnessPath, recordedPath, listSiteFiles, type Root } from './root.ts';

/** A component without a file has no releases. */
export function readRecordedData(root: Root, component: string): ReadResult<RecordedData> {
  const path = recordedPath(root, component);
  const { value, findings } = readDocument(path, `data/${component}.json`, RecordedData, {
    value: { releases: [] },
    findings: [],
  });
  return value ? { value, findings } : { findings: noteUnchanged(findings) };
}

/** Adds to the last problem that the file is unchanged: recorded days cannot be requested again. */
function noteUnchanged(findings: readonly Finding[]): Finding[] {
  // A file without a value has at least one.
  const last = findings.at(-1)!;
  const message = `${endSentence(last.message)} The file was left as it is`;
  return [...findings.slice(0, -1), { ...last, message }];
}

/**
 * The freshness as of `askedOn`, the day on which the sources were last asked, by default in the last run. A component without a file
 * has never been gathered. A file without recorded data is ignored: it is left of a component that was removed, or lost its data.
 */
export function readFreshness(root: Root, component: string, askedOn?: Day): ReadResult<Freshness> {
  const path = freshnessPath(root, component);
  if (isAbsent(recordedPath(root, component)) || isAbsent(path)) {
    return { value: { sources: {} }, findings: [] };
  }

  const name = `data/freshness/${component}.json`;
  const { value, findings } = readDocument(path, name, RecordedFreshness);
  return value
    ? { value: readFreshnessOn(value, askedOn ?? findLastAskedDay(root, component)), findings }
    : { findings };
}

export function readSiteConfig(root: Root): ReadResult<SiteConfig> {
  const path = join(root.siteDir, 'site.json');
  const name = 'site/site.json';
  return readDocument(path, name, SiteConfig, {
    findings: [fileProblem(name, 'no such file; its schema (site.json) describes it')],
  });
}

/** Throws an `InputError` where the file is missing or invalid. */
export function requireSiteConfig(root: Root): SiteConfig {
  return unwrapResult(readSiteConfig(root));
}

/** Without this file, the site is public. */
export function readAccessConfig(root: Root): ReadResult<AccessConfig> {
  const path = join(root.siteDir, 'access.json');
  return readDocument(path, accessFile, ReadAccessConfig, { findings: [] });
}

/** Undefined for a public site. Throws an `InputError` for an invalid file. */
export function requireAccessConfig(root: Root): AccessConfig | undefined {
  const { value, findings } = readAccessConfig(root);
  throwErrors(findings);
  return value;
}

export const accessFile = 'site/access.json';

/** The policies that every index has. */
export const builtInPolicies = readData<Readonly<Record<string, NamedPolicy>>>(
  'site/built-in-policies.json',
);

/** All policies by name, built-in and from the root, as of a day. */
export function readPolicies(
  root: Root,
  day: string,
): { policies: ReadonlyMap<string, ReadPolicy>; findings: Finding[] } {
  const policies = new Map<string, ReadPolicy>();
  for (const [name, policy] of Object.entries(builtInPolicies)) {
    policies.set(name, {
      name,
      isBuiltIn: true,
      ...policy,
      selects: parsePolicyQuery(policy.query, day),
    });
  }

  const findings: Finding[] = [];

  for (const [fileName, path] of listSiteFiles(root, 'policies')) {
    const result = readPolicyFile(fileName, path, day);
    findings.push(...result.findings);
    if (result.value) {
      policies.set(result.value.name, result.value);
    }
  }

  return { policies, findings };
}

/** Reads a policy, which is named after its file. */
function readPolicyFile(fileName: string, path: string, day: string): ReadResult<ReadPolicy> {
  const file = `site/policies/${fileName}`;
  const reject = (message: string) => ({ findings: [fileProblem(file, message)] });
  const name = fileName.replace(/\.json$/, '');
  const problem = findPolicyNameProblem(name, fileName);
  if (problem !== undefined) {
    return reject(problem);
  }

  const { value, findings } = readDocument(path, file, NamedPolicy);
  if (!value) {
    return { findings };
  }

  try {
    const { $schema: _, ...policy } = value;
    const selects = parsePolicyQuery(policy.query, day);
    const notes = listUnitNotes(selects).map((note) =>
      fileProblem(file, `query: ${note}`, 'warning'),
    );
    return {
      value: { name, isBuiltIn: false, ...policy, selects },
      findings: [...findings, ...notes],
    };
  } catch (error) {
    if (!(error instanceof QuestionError && error.reason === 'query')) {
      throw error;
    }

    return reject(`query: ${error.message}`);
  }
}

function findPolicyNameProblem(name: string, fileName: string): string | undefined {
  if (name === fileName) {
    return 'expected a file <policy>.json; remove or rename it';
  }
  if (!componentName.test(name)) {
    return `expected a name of lower-case letters, digits and hyphens; got "${name}"`;
  }
  if (Object.hasOwn(builtInPolicies, name)) {
    return `"${name}" is the name of a built-in policy. Rename the file`;
  }

  return undefined;
}
