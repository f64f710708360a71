/** Creates the view of `use.html`: texts to copy into Renovate, pipelines, shells and a new index. */
import { toolCommands } from './list-commands.ts';
import { describedFields } from '../../ask/query/field-meanings.ts';
import type { Component } from '../../core/schema/published.ts';
import { findInstallable } from '../documents/release-files.ts';
import type { Index } from '../load-index.ts';
import type { ProgramPackage } from '../packages.ts';
import { writeComment } from '../renovate/comments.ts';
import { listPackageConditions } from '../renovate/conditions.ts';

export function viewUse({ settings, components }: Index, programPackage?: ProgramPackage) {
  const { datasource, releasesUrl, signingPublicKey, hosting } = settings;
  // Finds a component with a supported line, so that each example prints an answer.
  const dated = components.find(({ lines }) =>
    lines.some((line) => line.isSupported && line.latest),
  );
  const cycled = dated && findCycledLine(dated);
  const example = dated ?? components.find(({ latest }) => latest !== undefined);
  // Together, these conditions match all packages of the index. The first condition matches components that a comment names
  // (`depName=svc`). The other conditions match packages that Renovate finds without a comment.
  const conditions = [
    { matchDatasources: [`custom.${datasource}`] },
    ...listPackageConditions(components),
  ];
  const packageRules = conditions.map((each) => ({ ...each, minimumReleaseAge: '0 days' }));
  return {
    ...programPackage,
    example: example?.component,
    exampleFile: example && encodeURIComponent(`${releasesUrl}/${example.component}.json`),
    latest: example?.latest,
    lifeCycle: cycled && {
      component: dated.component,
      line: cycled.line,
      definition: `components/${dated.component}.json`,
    },
    comment: example && writeComment(datasource, example.component),
    ...findFiles(components, datasource),
    publicKey: signingPublicKey,
    hasWorker: hosting === 'cloudflare',
    fields: describedFields,
    toolCommands,
    stops: findStops(components),
    waitingRules: JSON.stringify({ packageRules }, undefined, 2),
  };
}

/** Finds a component with required stops, as an example. */
function findStops(components: readonly Component[]) {
  const component = components.find(({ requiredStops }) => requiredStops);
  return component && { title: component.title, description: component.requiredStops!.description };
}

/** Finds the newest line that `api/` lists in the form of endoflife.date. */
function findCycledLine({ lines }: Component) {
  return lines.findLast(({ phases }) => phases.some(({ paid }) => !paid));
}

/**
 * Finds examples among releases that can be installed:
 * - the first with a checksum
 * - the first with checksums of all files
 * - the first with the URL of a file
 */
function findFiles(components: readonly Component[], datasource: string) {
  const latest = components.flatMap((each) => {
    const { component } = each;
    const release = findInstallable(each);
    return release ? { component, comment: writeComment(datasource, component), ...release } : [];
  });
  const checked = latest.find(({ digest }) => digest);
  const whole = latest.find(({ hasAllFiles }) => hasAllFiles);
  const files = Object.entries(whole?.files ?? {}).map(([name, digest]) => ({
    name,
    argument: `SHA256_${name.toUpperCase().replaceAll('-', '_')}`,
    digest: toHex(digest),
  }));
  const tool = latest.find(({ urls }) => urls);
  return {
    checked: checked && { ...checked, digest: toHex(checked.digest!) },
    platforms: whole && { ...whole, first: files[0]?.name, files: files.slice(0, 2) },
    tool: tool && describeTool(tool.component, tool.urls!),
  };
}

/** Returns a digest without its prefix. Renovate writes digests in this form. */
function toHex(digest: string): string {
  return digest.replace(/^sha256:/, '');
}

/**
 * Describes how a shell installs the file of a release that fits its machine. An archive is unpacked. Any other file is made executable. If
 * the release has files of both kinds, only the files of the first file's kind are installed.
 */
function describeTool(component: string, urls: Readonly<Record<string, string>>) {
  const isArchive = (file: string) => /\.(?:tar\.gz|tgz)$/.test(urls[file]!);
  const [first = '', ...others] = Object.keys(urls);
  const files = [first, ...others.filter((file) => isArchive(file) === isArchive(first))];
  const machines = files.flatMap((file) => listMachines(file).map((machine) => [machine, file]));
  // If two files fit a machine, such as the files for glibc and for musl, the first one is installed.
  const fitting = new Map(machines.toReversed() as [string, string][]);
  return {
    component,
    file: first,
    machines: Array.from(fitting, ([machine, file]) => ({ machine, file })).reverse(),
    ...(isArchive(first)
      ? { saved: `${component}.tar.gz`, unpack: 'tar -xzf' }
      : { saved: component, unpack: 'chmod +x' }),
  };
}

/** Lists the machines for which a file is made, as `uname -sm` names them: for `linux-amd64`, `Linux x86_64`. */
function listMachines(file: string): string[] {
  const is64Bit = /amd64|x64|x86-64/.test(file);
  const isArm = /arm64|aarch64/.test(file);
  if (/darwin|macos/.test(file)) {
    const isForAll = /universal|all/.test(file);
    return [
      ...(is64Bit || isForAll ? ['Darwin x86_64'] : []),
      ...(isArm || isForAll ? ['Darwin arm64'] : []),
    ];
  }
  if (file.includes('linux')) {
    return [...(is64Bit ? ['Linux x86_64'] : []), ...(isArm ? ['Linux aarch64'] : [])];
  }
  return [];
}
