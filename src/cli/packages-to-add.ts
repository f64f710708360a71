import { dropUndefined } from '../core/model/objects.ts';
import { inputError, notice } from '../core/schemas/finding.ts';
import { UpstreamUrl } from '../core/schemas/urls.ts';
import { findAdapter } from '../record/sources/index.ts';
import type { RunReport } from '../run/run-context.ts';
import type { Upstreams } from '../run/upstreams.ts';
import type { AddArguments, ListedPackage } from './add-arguments.ts';
import { UsageError } from './command.ts';
import { listProductNames, rejectUpstream } from './component-request.ts';
import { parseOption } from './option-values.ts';
import { readPackages } from './packages-in-file.ts';
import { createPackageId } from './used-names.ts';

interface PackagesContext extends AddArguments {
  report: RunReport;
  upstreams: Upstreams;
}

/** The named packages, the packages of scopes such as `@example/*`, all products of an instance, and those that a file lists: each once. */
export async function listPackages(context: PackagesContext): Promise<ListedPackage[]> {
  const { options, report, upstreams } = context;
  const { from: path, all, 'registry-url': registryUrl } = options;
  const [datasource = '', ...words] = context.arguments;
  const names = all === undefined ? words : await listProductNames(all, upstreams.http);
  const packages: ListedPackage[][] = [];

  for (const packageName of names) {
    const [, scope] = /^(@[^/]+)\/\*$/.exec(packageName) ?? [];
    const listed =
      scope === undefined
        ? [packageName]
        : await listScope(scope, datasource, registryUrl, upstreams);
    packages.push(listed.map((name) => ({ datasource, packageName: name })));
  }

  if (path !== undefined) {
    const file = await readPackages(path);
    packages.push(file.packages);
    report.finding(...file.notes.map((message) => notice(path, message)));
  }

  // In a file, a registry that is stated as undefined is the default one.
  const entries = packages.flat().map((entry) => dropUndefined({ registryUrl, ...entry }));
  return Array.from(Map.groupBy(entries, createPackageId).values(), ([first]) => first);
}

/** The names of the packages of a scope such as `@example`. Throws an error with a remedy where its registry cannot list them. */
async function listScope(
  scope: string,
  datasource: string,
  registryUrl: string | undefined,
  upstreams: Upstreams,
): Promise<string[]> {
  const adapter = findAdapter({ datasource });
  const subject = `${scope}/*`;
  const remedy = 'Name the packages.';
  if (!adapter.listScope) {
    throw new UsageError(`${subject}: ${datasource} has no scopes. ${remedy}`);
  }

  parseOption('--registry-url', registryUrl, UpstreamUrl);

  const names = await adapter
    .listScope(scope, registryUrl, upstreams)
    .catch(rejectUpstream(subject, remedy));
  if (names.length === 0) {
    throw inputError(subject, `the registry lists no package of it. ${remedy}`);
  }

  return names;
}
