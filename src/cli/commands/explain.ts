import { InputError } from '../../core/schemas/finding.ts';
import { loadComponent } from '../../site/load-component.ts';
import { detailsOf } from '../../decide/details.ts';
import { explainComponent, explainRelease } from '../explanation.ts';
import { answerVersion } from '../../ask/version-answer.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { DetailsFile } from '../../core/schemas/published/details-file.ts';
import type { Component } from '../../decide/component.ts';
import { didYouMean } from '../../core/nearest.ts';
import { listComponents } from '../../io/files/root.ts';
import { inputError, shared, UsageError, type Command, type Invocation } from '../command.ts';

export const command: Command = {
  arguments: '<component> [version]',
  options: shared('root', 'as-of'),
  details: [
    'Order, release line, policy, timestamps and their sources, the next change and its day, and the upgrade path.',
  ],
  examples: [
    ['explain svc', 'all of its release lines'],
    ['explain svc 2025.3', 'one version'],
  ],
  run,
};

function run({ root, day, arguments: [name, version], report }: Invocation): number {
  const { names } = listComponents(root);
  if (!names.includes(name!)) throw new UsageError(`unknown component "${name}".${didYouMean(name!, names)}`);
  const { component, findings } = loadComponent(root, name!, day);
  if (!component) throw new InputError(findings);
  report.finding(...findings);
  const details = detailsOf(component);
  const answer = version === undefined ? undefined : answerOf(component, details, version);
  if (answer && !answer.isListed) throw unlistedError(answer, component);
  report.print(
    ...(answer ? explainRelease(component, details, answer) : explainComponent(component, details)),
  );
  report.document({
    verb: 'explain',
    component: name,
    asOf: day,
    latest: details.latest,
    nextChangeOn: details.nextChangeOn,
    ...(answer
      ? { release: details.releases.find((release) => release.version === answer.version), answer }
      : { releases: details.releases }),
  });
  return 0;
}

function answerOf(
  { judgement, replacement }: Component,
  details: DetailsFile,
  version: string,
): VersionAnswer {
  return answerVersion(details, {
    version,
    asOf: judgement.day,
    latestOfReplacement: replacement?.version,
  });
}

function unlistedError({ component, version, verdict, move }: VersionAnswer, { unadmitted }: Component) {
  if (!unadmitted.some((left) => left.version === version))
    return inputError(component, `${verdict} ${move}`.trim());
  return inputError(
    component,
    `${version} is recorded in data/${component}.json, but components/${component}.json does not admit it: no source accepts it (allowedVersions, prereleases). The site omits it.`,
  );
}
