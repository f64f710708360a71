import type { Mutant } from './instrument.ts';

/** A change that no test can notice. */
interface Unnoticeable extends Pick<Mutant, 'file' | 'before' | 'after'> {
  readonly reason: string;
}

export const unnoticeable: readonly Unnoticeable[] = [
  ...[
    ['now() - cached.at < acceptedForMs', 'now() - cached.at <= acceptedForMs'],
    ['now() - cached.at < knownForMs', 'now() - cached.at <= knownForMs'],
  ].map(([before = '', after = '']) => ({
    ...{ file: 'src/ask/server/access/issuer-tokens.ts', before, after },
    reason: 'an answer of an issuer is kept for a millisecond more',
  })),
  {
    file: 'src/ask/server/access/guard.ts',
    before: 'index < left.length',
    after: 'index <= left.length',
    reason: 'behind their end, two texts have no character, and thus the same',
  },
  {
    file: 'src/ask/server/access/own-token.ts',
    before: 'false',
    after: 'true',
    reason: 'lets this program export a key that it derived, which it never does',
  },
  ...[
    "'How long is a release line of ${component} supported, ${policyForms}? [no stated end] '",
    "'cancelled. Nothing was written'",
  ].map((before) => ({
    ...{ file: 'src/cli/commands/add.ts', before, after: before.startsWith("'How") ? "''" : '""' },
    reason: 'add.test.ts asks on a terminal, in a process of its own without the change',
  })),
  {
    file: 'src/record/add/draft-definition.ts',
    before: "'support: as you answered'",
    after: '""',
    reason: 'add.test.ts answers on a terminal, in a process of its own without the change',
  },
  {
    file: 'src/ask/plan/pairs.ts',
    before: 'cached.size >= mostJudgements',
    after: 'false',
    reason: 'bounds the memory of a cache',
  },
  ...[
    ['cached.size >= mostJudgements', 'true'],
    ['cached.size >= mostJudgements', 'cached.size > mostJudgements'],
    ['cached.size >= mostJudgements', 'cached.size < mostJudgements'],
    ['cached.clear();', ';'],
    ['judgements.set(details, cached.set(key, judgement));', ';'],
    ['!isStated(details, pair.component)', 'false'],
  ].map(([before = '', after = '']) => ({
    ...{ file: 'src/ask/plan/pairs.ts', before, after },
    reason: 'a cache, and what spares it',
  })),
  {
    file: 'src/ask/plan/pairs.ts',
    before: '(worksWith?.[component] ?? statedBy?.[component]) !== undefined',
    after: 'true',
    reason: 'saves a search for statements where there are none',
  },
  {
    file: 'src/decide/line-ends.ts',
    before: 'cached',
    after: 'false',
    reason: 'a cache',
  },
  ...[
    ['cached', 'false'],
    ['index >= first || line.name === name', 'true'],
    ['line.releases.slice(first)', 'line.releases'],
  ].map(([before = '', after = '']) => ({
    ...{ file: 'src/decide/moves.ts', before, after },
    reason: 'spares time, and changes no goal',
  })),
  {
    file: 'src/decide/moves.ts',
    before: 'lines.filter((line, index) => index >= first || line.name === name)',
    after: 'lines',
    reason: 'leaves out, for speed, what cannot be a goal; moves.test.ts compares both',
  },
  ...[
    ['line.releases.some(isFlawless)', 'line.releases.every(isFlawless)'],
    ['first > 0', 'first >= 0'],
  ].map(([before = '', after = '']) => ({
    ...{ file: 'src/decide/moves.ts', before, after },
    reason: 'keeps more lines or releases, none of which can be the goal',
  })),
  ...[
    ['src/decide/advisories.ts', 'left.id > right.id', 'left.id >= right.id'],
    ['src/decide/lines.ts', 'earliest > from', 'earliest >= from'],
    ['src/decide/support.ts', 'other > day', 'other >= day'],
  ].map(([file = '', before = '', after = '']) => ({
    ...{ file, before, after },
    reason: 'of two that are equal, either may be taken',
  })),
  {
    file: 'src/record/gate/rules/outliers.ts',
    before: 'group > least',
    after: 'group >= least',
    reason: 'of two equal numbers, either is kept',
  },
  ...[
    ['src/deliver/publish/prepare-site.ts', '!(error instanceof VerificationError)'],
    ['src/deliver/publish/site-http.ts', '!(error instanceof HttpError)'],
  ].map(([file = '', before = '']) => ({
    ...{ file, before, after: 'false' },
    reason: 'an error of another kind would be a defect; nothing makes one',
  })),
  ...['Deprecated since', 'It will be removed on'].map((before) => ({
    ...{ file: 'site/templates/request.hbs', before, after: '' },
    reason: 'no request is deprecated at present',
  })),
];
