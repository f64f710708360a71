import { dayOf, type Day } from '../core/dates.ts';
import type { Component } from '../decide/component.ts';
import { claimsOf } from '../core/schemas/recorded.ts';
import { isStaticId } from '../core/schemas/source.ts';
import { completeCorrections } from '../decide/corrections.ts';
import { disagreementsIn, summariseDisagreements } from '../decide/disagreements.ts';
import { describePolicy } from '../decide/describe-policy.ts';
import { isLineOpen, type JudgedLine, type JudgedRelease } from '../decide/judge.ts';
import { statusOf } from '../decide/release-status.ts';
import { listed, sentence } from '../core/text.ts';
import { comingChanges } from '../decide/words/coming.ts';
import { disagreementText, dissentText } from '../decide/words/disagreement-words.ts';
import { endWithNextLine, lineFacts, supportInShort } from '../decide/words/line-words.ts';
import { replacementSentence } from '../decide/words/replacement-words.ts';
import { whyNoLatest } from '../decide/words/verdict-words.ts';
import type { VersionAnswer } from '../core/schemas/published/answer-schemas.ts';

/** Why a component has the status it has on a day, in lines for a person. */
export function explainComponent(component: Component, day: Day): string[] {
  const { name, definition, judgement } = component;
  const open = judgement.lines.filter(isLineOpen);
  const verdict = judgement.lines.some((line) => line.isSupported !== undefined) ? 'supported' : 'listed';
  return [
    `${name} (${definition.title}) on ${day}`,
    `Policy: ${describePolicy(definition.support, day)}`,
    ...replacementSentence(component),
    judgement.latest
      ? `Latest: ${judgement.latest.version}, the greatest version that is stable and not deprecated.`
      : `Latest: none. ${whyNoLatest(judgement)}`,
    ...freshness(component),
    ...summariseDisagreements(definition, judgement.releases).map(
      (one) => `Sources disagree: ${disagreementText(one)}`,
    ),
    '',
    `Release lines, newest first (${open.length} of ${judgement.lines.length} ${verdict}):`,
    ...judgement.lines.toReversed().map(explainLine),
    '',
    ...whatIsNext(component),
  ];
}

/** Why a release has the status it has. `answer`: what is answered on its version everywhere. */
export function explainRelease(
  component: Component,
  release: JudgedRelease,
  { asOf, verdict, move }: VersionAnswer,
): string[] {
  const { name, definition, judgement } = component;
  const index = judgement.releases.indexOf(release);
  const before = judgement.releases[index - 1];
  const after = judgement.releases[index + 1];
  return [
    `${name} ${release.version} on ${asOf}: ${statusOf(release)}${release === judgement.latest ? ', the latest' : ''}`,
    `Order: ${index + 1} of ${judgement.releases.length}${before ? `, after ${before.version}` : ''}${after ? `, before ${after.version}` : ''}.`,
    `Release line: ${release.line}. ${release.isPrerelease ? 'A prerelease.' : 'Stable.'}`,
    `Timestamp: ${explainTimestamp(release)}`,
    `Changelog: ${release.changelogUrl ?? 'not known'}`,
    `Recorded from: ${claimsOf(release.recorded).join(', ') || 'a person'}${release.recorded.firstSeen === undefined ? '' : `, first on ${release.recorded.firstSeen}`}.`,
    ...explainDigests(release),
    ...disagreementsIn(definition)(release.recorded).map((one) => `Sources disagree: ${dissentText(one)}`),
    `Policy: ${describePolicy(definition.support, asOf)}`,
    verdict,
    ...replacementSentence(component),
    ...completeCorrections(release.recorded).map(
      ({ on, field, from = 'not known', to = 'none', reason }) =>
        `Corrected on ${on}: ${field} ${from} → ${to}: ${sentence(reason)}`,
    ),
    move,
  ];
}

const maxDigestsTold = 10;

function explainDigests({ recorded: { digests = {} } }: JudgedRelease): string[] {
  const all = Object.entries(digests).flatMap(([source, artifacts]) =>
    Object.entries(artifacts).map(([artifact, digest]) => `Digest: ${artifact} ${digest} (${source}).`),
  );
  const more = all.length - maxDigestsTold;
  return more <= 0 ? all : [...all.slice(0, maxDigestsTold), `Digest: ${more} more; --json has all.`];
}

function explainTimestamp({ releaseTimestamp, timestampKind, recorded }: JudgedRelease): string {
  if (releaseTimestamp === undefined)
    return 'not known. Renovate holds such an update where minimumReleaseAge is set.';
  const shown = releaseTimestamp.endsWith('T00:00:00Z') ? dayOf(releaseTimestamp) : releaseTimestamp;
  if (timestampKind === 'observed')
    return `${shown}, observed: upstream states no day; it existed by then at the latest.`;
  return `${shown}, published: ${statedBy(recorded.source)}.`;
}

function statedBy(source: string | undefined): string {
  if (source === undefined) return 'recorded by hand';
  return isStaticId(source) ? 'as recorded in the definition' : 'stated by upstream';
}

function explainLine(line: JudgedLine): string {
  return `  ${line.name}: ${supportInShort(line)}. ${lineFacts(line)}`;
}

function whatIsNext({ judgement }: Component): string[] {
  const coming = comingChanges(judgement);
  const next = coming.filter(({ day }) => day === coming[0]!.day);
  const withNextLine = endWithNextLine(judgement.lines);
  if (next.length === 0) return [`Next: ${withNextLine || 'no verdict changes unless new data comes.'}`];
  const events = next.map(({ subject, event }) => `${subject} ${event}`);
  return [`Next: on ${next[0]!.day}, ${listed(events, maxEvents)}.`];
}

const maxEvents = 12;

function freshness({ freshness: { state, checkedOn, troubles } }: Component): string[] {
  const checked = checkedOn === undefined ? '' : `, last checked on ${checkedOn}`;
  return [
    `Freshness: ${state}${checked}.`,
    ...troubles.map(({ source, kind, reason }) => `  ${source} ${kind}: ${reason}`),
  ];
}
