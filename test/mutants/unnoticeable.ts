import type { Mutant } from './instrument.ts';

/** A change that no test can notice. */
interface Unnoticeable extends Pick<Mutant, 'file' | 'before' | 'after'> {
  readonly reason: string;
}

export const unnoticeable: readonly Unnoticeable[] = [
  {
    file: 'src/ask/server/access/opaque-tokens.ts',
    before: 'rejected.delete(digest);',
    after: ';',
    reason: 'only the order in which old rejections are removed',
  },
  {
    file: 'src/ask/server/access/opaque-tokens.ts',
    before: 'ageMs < usableMs',
    after: 'ageMs <= usableMs',
    reason: 'one millisecond of ten minutes',
  },
  {
    file: 'src/ask/server/access/own-token.ts',
    before: 'false',
    after: 'true',
    reason: 'lets this program export a key that it derived, which it never does',
  },
  ...[
    [
      '`How long is a release line of ${component} supported, ${policyForms}? [no stated end] `',
      '``',
    ],
    ["'cancelled. Nothing was written'", '""'],
  ].map(([before = '', after = '']) => ({
    ...{ file: 'src/cli/ask-policy.ts', before, after },
    reason: 'add.test.ts asks on a terminal, in a process of its own without the change',
  })),
  {
    file: 'src/record/add/find-support-policy.ts',
    before: "'support: as you answered'",
    after: '""',
    reason: 'add.test.ts answers on a terminal, in a process of its own without the change',
  },
  {
    file: 'src/ask/plan/pairs.ts',
    before: 'judgements.size >= maxJudgements',
    after: 'false',
    reason: 'bounds the memory of a cache',
  },
  ...[
    ['judgements.size >= maxJudgements', 'true'],
    ['judgements.size >= maxJudgements', 'judgements.size > maxJudgements'],
    ['judgements.size >= maxJudgements', 'judgements.size < maxJudgements'],
    ['judgements.clear();', ';'],
    ['judgements.set(key, judgement);', ';'],
  ].map(([before = '', after = '']) => ({
    ...{ file: 'src/ask/plan/pairs.ts', before, after },
    reason: 'a cache',
  })),
  {
    file: 'src/ask/plan/order-steps.ts',
    before: "due === 'never'",
    after: 'false',
    reason: 'a move for a conflict has the day of the move that needs it, or is due now',
  },
  {
    file: 'src/ask/plan/pairs.ts',
    before: 'one.details.component < other.details.component',
    after: 'one.details.component <= other.details.component',
    reason: 'two versions of one component have no conflict',
  },
  ...[
    ['changes .filter((change) => change !== undefined)', 'changes'],
    ['change !== undefined', 'true'],
  ].map(([before = '', after = '']) => ({
    ...{ file: 'src/ask/plan/find-tracks.ts', before, after },
    reason: 'tells the compiler what is there: what is undefined is sorted to the end',
  })),
  ...[
    ['src/core/model/move-to.ts', 'deadline !== undefined'],
    ['src/core/model/dates.ts', 'lastDay !== undefined'],
    ['src/core/model/dates.ts', 'earliest !== undefined'],
    ['src/core/model/images.ts', 'tag !== undefined'],
    ['src/core/model/states.ts', 'withdrawnSince !== undefined'],
    ['src/core/model/states.ts', 'change !== undefined'],
    ['src/core/model/words.ts', 'moveReason !== undefined'],
    ['src/decide/component-freshness.ts', 'on !== undefined'],
    ['src/decide/details.ts', "support.policy === 'stated'"],
    ['src/decide/details.ts', 'releaseTimestamp !== undefined'],
    ['src/decide/judge.ts', 'affected !== undefined'],
    ['src/decide/lines.ts', 'statedDay !== undefined'],
    ['src/decide/planned-phases.ts', 'until !== undefined'],
  ].map(([file = '', before = '']) => ({
    ...{ file, before, after: 'true' },
    reason: 'tells the compiler what is there; what else comes here has no such value',
  })),
  ...[
    ["policy.policy === 'none' || policy.policy === 'stated'", 'false'],
    [
      "policy.policy === 'none' || policy.policy === 'stated'",
      "policy.policy === 'none' && policy.policy === 'stated'",
    ],
    ["policy.policy === 'none'", 'false'],
    ["policy.policy === 'stated'", 'false'],
  ].map(([before = '', after = '']) => ({
    ...{ file: 'src/decide/policy-sentences.ts', before, after },
    reason: 'tells the compiler what is there; these policies have no such value',
  })),
  {
    file: 'src/decide/support.ts',
    before: "policy.policy !== 'latest-lines'",
    after: 'false',
    reason: 'spares time: other policies end no line because of one more',
  },
  {
    file: 'src/decide/lines.ts',
    before: 'false',
    after: 'true',
    reason: 'only policies that count lines ask for a stable release, and these state no lines',
  },
  {
    file: 'src/decide/lines.ts',
    before: 'day !== undefined',
    after: 'true',
    reason:
      'tells the compiler what is there: what is undefined is no later and no earlier than a day',
  },
  {
    file: 'src/decide/partners.ts',
    before: 'isInRange(tested, release)',
    after: '!isInRange(tested, release)',
    reason: 'two marks change places, and part the releases as before',
  },
  {
    file: 'src/site/render/renovate/pin-fact-table.ts',
    before: "words !== ''",
    after: 'true',
    reason: 'leaves out facts without text, for a shorter table: nobody reads them',
  },
  {
    file: 'src/site/render/renovate/pin-fact-table.ts',
    before: 'table.length <= maxFacts',
    after: 'table.length < maxFacts',
    reason: 'a table of exactly the most characters is rare, and may be one step shorter',
  },
  {
    file: 'src/site/render/renovate/package-rules.ts',
    before: 'names.length < 3',
    after: 'names.length <= 3',
    reason: 'a list and an expression of three names match the same; Renovate reads both',
  },
  {
    file: 'src/ask/answers/range-query.ts',
    before: 'firstSet === -1',
    after: 'false',
    reason: 'the index -1 leads to the same: all but the last group, and 1',
  },
  {
    file: 'src/core/model/states.ts',
    before: 'until !== undefined',
    after: 'true',
    reason: 'tells the compiler what is there; what else comes here has no such value',
  },
  {
    file: 'src/site/render/renovate/days-preset.ts',
    before: 'conditions',
    after: 'true',
    reason: 'tells the compiler what is there: the datasource of images always has conditions',
  },
  {
    file: 'src/site/render/renovate/preset.ts',
    before: 'upgradeBounds.filter(({ to }) => to.isDeprecated)',
    after: 'upgradeBounds',
    reason: 'a stop that is not deprecated stays without being named',
  },
  {
    file: 'src/decide/pin-facts.ts',
    before: "case 'dated': return describeInference(support);",
    after: "case 'dated':",
    reason: 'what only an ended policy can say is empty for stated days',
  },
  ...[
    ['src/core/model/dates.ts', 'a < b', 'a <= b'],
    ['src/core/model/version.ts', 'left < right', 'left <= right'],
    ['src/core/model/version.ts', 'right === undefined', 'false'],
  ].map(([file = '', before = '', after = '']) => ({
    ...{ file, before, after },
    reason: 'equal values, and a group that is missing, are ordered in the lines around it',
  })),
  ...[
    ['src/core/model/dates.ts', 'day > latest', 'day >= latest'],
    [
      'src/core/model/edits.ts',
      'readNumber(change) > readNumber(last)',
      'readNumber(change) >= readNumber(last)',
    ],
    [
      'src/core/model/version-range.ts',
      'compareCuts(left, right) < 0',
      'compareCuts(left, right) <= 0',
    ],
  ].map(([file = '', before = '', after = '']) => ({
    ...{ file, before, after },
    reason: 'of two that are equal, either may be taken',
  })),
  {
    file: 'src/core/model/move-to.ts',
    before: 'compareVersions(parseVersion(release.version)!, start) > 0',
    after: 'compareVersions(parseVersion(release.version)!, start) >= 0',
    reason: 'a version that one must leave is no goal',
  },
  {
    file: 'src/core/model/images.ts',
    before: "lastIndexOf('/') + 1",
    after: "lastIndexOf('/') - 1",
    reason: 'no reference has a colon beside its last slash',
  },
  {
    file: 'src/record/gate/rules/outliers.ts',
    before: 'a > b',
    after: 'a >= b',
    reason: 'of two equal numbers, either is kept',
  },
  ...[
    ['component === name', 'true'],
    ['!hasWaited && !files.some((file) => lastRun.changed.has(file))', 'false'],
  ].map(([before = '', after = '']) => ({
    ...{ file: 'src/record/gate/judge-edits.ts', before, after },
    reason: 'spares time: files that did not change are found equal',
  })),
  {
    file: 'src/decide/component-summary.ts',
    before: 'first >= 0',
    after: 'true',
    reason: 'a source that lists no release does not list the last one',
  },
  {
    file: 'src/decide/undated-sources.ts',
    before: 'firstDay === undefined',
    after: 'false',
    reason:
      'tells the compiler what is there: a source lists a release, and one without a day is asked for next',
  },
  {
    file: 'src/record/gate/rules/outliers.ts',
    before: 'greatest === undefined',
    after: 'false',
    reason: 'tells the compiler what is there: without releases nothing is compared',
  },
  {
    file: 'src/record/gate/judge-component-edit.ts',
    before: 'wait.since < day',
    after: 'wait.since <= day',
    reason: 'of two equal days, either may be taken',
  },
  ...[
    ['src/record/gate/save-judged.ts', '!(error instanceof InputError)'],
    ['src/record/gate/last-run.ts', '!(error instanceof GitError)'],
    ['src/record/gate/last-good-files.ts', '!(error instanceof GitError)'],
  ].map(([file = '', before = '']) => ({
    ...{ file, before, after: 'false' },
    reason: 'an error of another kind would be a defect; nothing makes one',
  })),
  ...['Deprecated since', 'It will be removed on'].map((before) => ({
    ...{ file: 'site/templates/request.hbs', before, after: '' },
    reason: 'no request is deprecated at present',
  })),
  {
    file: 'src/deliver/publish/live.ts',
    before: "code === 'ENOTFOUND'",
    after: 'true',
    reason: 'needs a name server that is out of order',
  },
  {
    file: 'src/ask/server/access/issuer-tokens.ts',
    before: 'timeoutMs / 1000',
    after: 'timeoutMs * 1000',
    reason: 'a test in test:long waits for the issuer and reads the seconds',
  },
];
