/** The view of `use.html`: what to copy into Renovate, pipelines, and an index of one's own. */
import { refusedKinds } from '../../core/lists/refused.ts';
import { releaseFields } from '../../core/query/release-fields.ts';
import type { Component } from '../../core/schema/published.ts';
import type { Index } from '../load-index.ts';
import { writeComment } from '../renovate/comments.ts';
import { listPackageConditions } from '../renovate/conditions.ts';

/** `packageFile`: the program, if it is published. */
export function viewUse({ settings, components }: Index, packageFile?: string) {
  const { datasource, signingPublicKey, hosting } = settings;
  // One with a supported line, so that each example has an answer.
  const dated = components.find(({ lines }) =>
    lines.some((line) => line.isSupported && line.latest),
  );
  const example = dated ?? components.find(({ latest }) => latest !== undefined);
  // By these rules, the packages of the index do not wait, neither below a comment nor where Renovate finds them by itself.
  const conditions = [
    { matchDatasources: [`custom.${datasource}`] },
    ...listPackageConditions(components),
  ];
  const packageRules = conditions.map((each) => ({ ...each, minimumReleaseAge: '0 days' }));
  return {
    packageFile,
    example: example?.component,
    latest: example?.latest,
    comment: example && writeComment(datasource, example.component),
    checked: findChecked(components, datasource),
    platforms: findPlatforms(components, datasource),
    tool: findTool(components),
    publicKey: signingPublicKey,
    hasWorker: hosting === 'cloudflare',
    fields: releaseFields,
    refused: listRefused(),
    waitingRules: JSON.stringify({ packageRules }, undefined, 2),
  };
}

/** A component whose latest release has a checksum. */
function findChecked(components: readonly Component[], datasource: string) {
  const [checked] = components.flatMap(({ component, latest, releases }) => {
    const { digest } = releases.find(({ isLatest }) => isLatest) ?? {};
    const comment = writeComment(datasource, component);
    return digest === undefined ? [] : { comment, latest, digest: toHex(digest) };
  });
  return checked;
}

/** A component whose latest release has a checksum for each of its files, with two of them. */
function findPlatforms(components: readonly Component[], datasource: string) {
  const [platforms] = components.flatMap(({ component, latest, releases }) => {
    const { files = {}, hasAllFiles } = releases.find(({ isLatest }) => isLatest) ?? {};
    const named = Object.entries(files).map(([name, digest]) => ({
      name,
      argument: `SHA256_${name.toUpperCase().replaceAll('-', '_')}`,
      digest: toHex(digest),
    }));
    const comment = writeComment(datasource, component);
    return hasAllFiles && named[0]
      ? { component, comment, latest, first: named[0].name, files: named.slice(0, 2) }
      : [];
  });
  return platforms;
}

/** As Renovate writes it. */
function toHex(digest: string): string {
  return digest.replace(/^sha256:/, '');
}

/** A component whose latest release has a file with address and checksum, and the name of this file. */
function findTool(components: readonly Component[]) {
  const tools = components.flatMap(({ component, releases }) => {
    const { urls = {} } = releases.find(({ isLatest }) => isLatest) ?? {};
    return Object.keys(urls).map((file) => ({ component, file }));
  });
  return tools[0];
}

/** The kinds of lists that are refused, by the command that prints a better one. */
function listRefused() {
  const byCommand = Map.groupBy(Object.entries(refusedKinds), ([, [command]]) => command);
  return Array.from(byCommand, ([command, entries]) => ({
    command,
    kinds: entries.map(([kind]) => kind).join(', '),
  }));
}
