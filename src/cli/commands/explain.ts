import { loadComponent } from '../../site/load-component.ts';
import { detailsOf } from '../../decide/details.ts';
import { explainComponent, explainRelease } from '../explanation.ts';
import { answerVersion } from '../../ask/version-answer.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { DetailsFile } from '../../core/schemas/published/details-file.ts';
import type { Component } from '../../decide/component.ts';
import { didYouMean } from '../../core/schemas/problems.ts';
import { listComponents } from '../../io/files/root.ts';
import { InputError, refusal, UsageError, type Invocation } from './command.ts';

export function explain({ root, day, arguments: [name, version], report }: Invocation): Promise<number> {
  const { names } = listComponents(root);
  if (!names.includes(name!)) throw new UsageError(`unknown component "${name}".${didYouMean(name!, names)}`);
  const { component, findings } = loadComponent(root, name!, day);
  if (!component) throw new InputError(findings);
  for (const finding of findings) report.finding(finding);
  const details = detailsOf(component);
  const answer = version === undefined ? undefined : answerOf(component, details, version);
  if (answer && !answer.isListed) throw refuseUnlisted(answer, component);
  const lines = answer ? explainRelease(component, details, answer) : explainComponent(component, details);
  for (const line of lines) report.line(line);
  report.result({
    verb: 'explain',
    component: name,
    asOf: day,
    latest: details.latest,
    nextChangeOn: details.nextChangeOn,
    ...(answer
      ? { release: details.releases.find((release) => release.version === answer.version), answer }
      : { releases: details.releases }),
  });
  return Promise.resolve(0);
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

function refuseUnlisted({ component, version, verdict, move }: VersionAnswer, { unadmitted }: Component) {
  if (!unadmitted.some((left) => left.version === version))
    return refusal(component, `${verdict} ${move}`.trim());
  return refusal(
    component,
    `${version} is recorded in data/${component}.json, but components/${component}.json does not admit it: none of its sources takes it (allowedVersions, prereleases). The site leaves it out.`,
  );
}
