import { dayOf, type Day } from '../dates.ts';
import type { Component } from '../policy/component.ts';
import { claimsOf } from '../model/recorded.ts';
import { describePolicy } from '../policy/describe-policy.ts';
import { isLineSupported, type JudgedLine, type JudgedRelease } from '../policy/judge.ts';
import type { Reason } from '../policy/reason.ts';
import { lineFacts, supportInShort } from './line-words.ts';
import { whyNoLatest } from './verdict-words.ts';

/** Why a component has the status it has on a day, in lines for a person. */
export function explainComponent(component: Component, day: Day): string[] {
  const { name, definition, judgement } = component;
  const supported = judgement.lines.filter(isLineSupported);
  return [
    `${name} (${definition.title}) on ${day}`,
    `Policy: ${describePolicy(definition.support)}`,
    judgement.latest
      ? `Latest: ${judgement.latest.version}, the greatest version that is stable and not deprecated.`
      : `Latest: none. ${whyNoLatest(judgement)}`,
    ...freshness(component),
    '',
    `Release lines, newest first (${supported.length} of ${judgement.lines.length} supported):`,
    ...judgement.lines.toReversed().map(explainLine),
    '',
    ...whatIsNext(component),
  ];
}

/** Why a release has the status it has. */
export function explainRelease(component: Component, release: JudgedRelease, day: Day): string[] {
  const { name, definition, judgement } = component;
  const index = judgement.releases.indexOf(release);
  const before = judgement.releases[index - 1];
  const after = judgement.releases[index + 1];
  return [
    `${name} ${release.version} on ${day}: ${release.isDeprecated ? 'deprecated' : 'supported'}${release === judgement.latest ? ', the latest' : ''}`,
    `Order: ${index + 1} of ${judgement.releases.length}${before ? `, after ${before.version}` : ''}${after ? `, before ${after.version}` : ''}.`,
    `Release line: ${release.line}. ${release.isPrerelease ? 'A prerelease.' : 'Stable.'}`,
    `Timestamp: ${explainTimestamp(release)}`,
    `Changelog: ${release.changelogUrl ?? 'not known'}`,
    `Recorded from: ${claimsOf(release.recorded).join(', ') || 'a person'}${release.recorded.firstSeen === undefined ? '' : `, first on ${release.recorded.firstSeen}`}.`,
    `Policy: ${describePolicy(definition.support)}`,
    ...verdict(release),
    ...(release.recorded.corrections ?? []).map(
      (correction) =>
        `Corrected on ${correction.on}: ${correction.field} ${correction.from ?? 'not known'} → ${correction.to ?? 'none'}: ${correction.reason}.`,
    ),
  ];
}

function verdict({ reasons, upcoming, isDeprecated }: JudgedRelease): string[] {
  const because = reasons.map(({ from, rule, text }) => {
    const since = from === undefined ? '' : ` since ${from}`;
    return `Deprecated${since} by ${ruleNames[rule]}: ${text}`;
  });
  const begin = isDeprecated ? 'Also, from' : 'Will be deprecated from';
  const later = upcoming.map(({ from, rule, text }) => `${begin} ${from} by ${ruleNames[rule]}: ${text}`);
  if (because.length > 0) return [...because, ...later];
  if (later.length > 0) return ['No rule deprecates it.', ...later];
  return ['No rule deprecates it.', 'Nothing is known that will change that.'];
}

const ruleNames: Record<Reason['rule'], string> = {
  definition: "the definition's list",
  withdrawn: 'withdrawal',
  upstream: 'upstream',
  'support policy': 'the support policy',
};

function explainTimestamp({ releaseTimestamp, timestampKind }: JudgedRelease): string {
  if (releaseTimestamp === undefined)
    return 'not known. Renovate holds such an update where minimumReleaseAge is set.';
  const shown = releaseTimestamp.endsWith('T00:00:00Z') ? dayOf(releaseTimestamp) : releaseTimestamp;
  return timestampKind === 'observed'
    ? `${shown}, observed: upstream states no day; it existed by then at the latest.`
    : `${shown}, published: stated by upstream.`;
}

function explainLine(line: JudgedLine): string {
  return `  ${line.name}: ${supportInShort(line)}. ${lineFacts(line)}`;
}

function whatIsNext({ judgement }: Component): string[] {
  if (judgement.nextChangeOn === undefined) return ['Next: no verdict changes unless new data comes.'];
  const leaving = judgement.releases.filter(
    (release) => !release.isDeprecated && release.upcoming[0]?.from === judgement.nextChangeOn,
  );
  const versions = leaving.map((release) => release.version).join(', ');
  return [`Next: on ${judgement.nextChangeOn}, ${versions} will be deprecated.`];
}

function freshness({ freshness: { state, checkedOn, troubles } }: Component): string[] {
  const checked = checkedOn === undefined ? '' : `, last checked on ${checkedOn}`;
  return [
    `Freshness: ${state}${checked}.`,
    ...troubles.map(({ source, kind, reason }) => `  ${source} ${kind}: ${reason}`),
  ];
}
