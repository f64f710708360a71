/** Code whose every condition, comparison and returned value a test must notice, with the tests that are about it. */
export interface Group {
  readonly code: readonly string[];
  readonly tests: readonly string[];
}

export const groups: Readonly<Record<string, Group>> = {
  gate: { code: ['src/record/gate/**'], tests: ['test/record/gate/**', 'test/simulations/**'] },
  model: { code: ['src/core/model/**'], tests: ['test/core/**', 'test/decide/**'] },
  decide: { code: ['src/decide/**'], tests: ['test/decide/**', 'test/core/model/**'] },
  plan: { code: ['src/ask/plan/**'], tests: ['test/ask/plan/**'] },
  notes: {
    code: ['src/decide/pin-facts.ts', 'src/site/render/renovate/**'],
    tests: [
      'test/site/render/renovate/pin-notes.test.ts',
      'test/site/render/renovate/packages.test.ts',
      'test/site/render/renovate/preset.test.ts',
      'test/site/render/renovate/snippets.test.ts',
    ],
  },
  access: { code: ['src/ask/server/access/**'], tests: ['test/ask/server/access/**'] },
  publication: { code: ['src/deliver/publish/**'], tests: ['test/deliver/publish/**'] },
};
