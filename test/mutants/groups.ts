/** Code whose every condition, comparison and returned value a test must notice, with the tests that are about it. */
export interface Group {
  readonly code: readonly string[];
  /** Run in this order: the quickest first. */
  readonly tests: readonly string[];
  /** Changes sentences instead of conditions: removes one at a time. */
  readonly isAboutWords?: boolean;
}

export const groups: Readonly<Record<string, Group>> = {
  gate: {
    code: ['src/record/gate/**/*.ts'],
    tests: [
      'test/record/gate/rules/[!l]*.test.ts',
      'test/record/gate/{judge-component-edit,judge-gathered,save-judged,rules/losses}.test.ts',
      'test/record/gate/{last-*,judge-edits}.test.ts',
      'test/record/gate/**/*.test.ts',
      'test/record/journal/events/*.test.ts',
      'test/run/daily/{edited-index,asked-sources,policy-week,broken-component,stages}.test.ts',
      'test/deliver/publish/renamed-component.test.ts',
      'test/run/daily/{announced-losses,daily-decisions,cut-history}.test.ts',
    ],
  },
  model: {
    code: ['src/core/model/**/*.ts'],
    tests: ['test/core/**/*.test.ts', 'test/decide/**/*.test.ts', 'test/ask/*.test.ts'],
  },
  decide: {
    code: ['src/decide/**/*.ts'],
    tests: [
      'test/decide/**/*.test.ts',
      'test/core/model/**/*.test.ts',
      'test/record/journal/events/*.test.ts',
      'test/site/render/renovate/pin-notes.test.ts',
      'test/ask/*.test.ts',
    ],
  },
  plan: {
    code: ['src/ask/plan/**/*.ts'],
    tests: ['test/ask/plan/{hard,make,pairs,plan}*.test.ts', 'test/ask/plan/**/*.test.ts'],
  },
  notes: {
    code: ['src/decide/pin-facts.ts', 'src/site/render/renovate/**/*.ts'],
    tests: [
      'test/site/render/renovate/pin-notes.test.ts',
      'test/site/render/renovate/packages.test.ts',
      'test/site/render/renovate/preset.test.ts',
      'test/site/render/renovate/{reader-commands,snippets}.test.ts',
    ],
  },
  access: {
    code: ['src/ask/server/access/**/*.ts'],
    tests: ['test/ask/server/access/g*.test.ts', 'test/ask/server/access/**/*.test.ts'],
  },
  publication: {
    code: ['src/deliver/publish/**/*.ts'],
    tests: [
      'test/deliver/publish/{read-back,host-keys,site-http,index-documents,live,lost-events}.test.ts',
      'test/deliver/publish/{prepare-site,publish-site,copy-site}.test.ts',
      'test/deliver/publish/**/*.test.ts',
    ],
  },
  pages: {
    isAboutWords: true,
    code: ['site/templates/*.hbs', 'src/site/render/html/*.ts'],
    tests: [
      'test/site/render/html/page-words.test.ts',
      'test/site/render/html/*.test.ts',
      'test/site/{private-site,days-at-doors,phases-at-doors}.test.ts',
    ],
  },
  add: {
    isAboutWords: true,
    code: ['src/record/add/*.ts', 'src/cli/commands/{accept,add,plan}.ts'],
    tests: [
      'test/record/add/*.test.ts',
      'test/cli/{add-packages,cli,packages-to-add}.test.ts',
      'test/cli/commands/{accept,add,add-lists,add-from-registries,plan}.test.ts',
      'test/deliver/publish/live-events.test.ts',
    ],
  },
  words: {
    isAboutWords: true,
    code: [
      'src/ask/answers/verdict-sentences.ts',
      'src/ask/plan/plan-{summary-words,words}.ts',
      'src/core/model/words.ts',
      'src/decide/{event-words,lines,pin-facts,sentences,support}.ts',
      'src/record/gate/rules/*.ts',
      'src/run/daily/{alerts,daily-report,news}.ts',
      'src/site/render/renovate/pin-notes.ts',
    ],
    tests: [
      'test/decide/*.test.ts',
      'test/core/model/*.test.ts',
      'test/site/render/renovate/*.test.ts',
      'test/run/daily/{alerts,news}.test.ts',
      'test/record/gather/conflicts.test.ts',
      'test/ask/answers/*.test.ts',
      'test/ask/plan/*.test.ts',
      'test/record/gate/**/*.test.ts',
      'test/record/journal/events/*.test.ts',
      'test/site/render/{html,documents}/*.test.ts',
      'test/ask/{silent-sources,one-goal}.test.ts',
    ],
  },
};
