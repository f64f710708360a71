import { loadComponent } from '../site/load-component.ts';
import { explainComponent, explainRelease } from '../answers/explanation.ts';
import { answerVersion, movable } from '../answers/version-answer.ts';
import type { Component } from '../policy/component.ts';
import { didYouMean } from '../model/problems.ts';
import type { JudgedRelease } from '../policy/judge.ts';
import { releaseDetails } from '../render/details-json.ts';
import { listComponents } from '../store/root.ts';
import { compareVersions, parseVersion } from '../version.ts';
import { InputError, refusal, UsageError, type Invocation } from './command.ts';

export function explain({ root, day, arguments: [name, version], report }: Invocation): Promise<number> {
  const { names } = listComponents(root);
  if (!names.includes(name!)) throw new UsageError(`unknown component "${name}".${didYouMean(name!, names)}`);
  const { component, findings } = loadComponent(root, name!, day);
  if (!component) throw new InputError(findings);
  for (const finding of findings) report.finding(finding);
  const release = version === undefined ? undefined : findRelease(component, version);
  for (const line of release ? explainRelease(component, release, day) : explainComponent(component, day))
    report.line(line);
  report.result({
    verb: 'explain',
    component: name,
    asOf: day,
    latest: component.judgement.latest?.version,
    nextChangeOn: component.judgement.nextChangeOn,
    ...(release
      ? { release: releaseDetails(release), answer: answerVersion(movable(component), release) }
      : { releases: component.judgement.releases.map(releaseDetails) }),
  });
  return Promise.resolve(0);
}

function findRelease({ name, judgement, unadmitted }: Component, text: string): JudgedRelease {
  const exact = judgement.releases.find((release) => release.version === text);
  if (exact) return exact;
  const parsed = parseVersion(text);
  const same = parsed && judgement.releases.find((release) => compareVersions(release.parsed, parsed) === 0);
  if (same) return same;
  if (unadmitted.some(({ version }) => version === text)) {
    throw refusal(
      name,
      `${text} is recorded in data/${name}.json, but components/${name}.json does not admit it: none of its sources takes it (allowedVersions, prereleases). The site leaves it out.`,
    );
  }
  const hint = didYouMean(
    text,
    judgement.releases.map((release) => release.version),
  );
  throw refusal(name, `has no release "${text}" on this day.${hint}`);
}
