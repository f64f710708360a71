import { expect, TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** The numbers of the sentences in SPECIFICATION.md that the test shows. */
    covers?: number[];
  }
}

/** States which sentences of the specification the running test shows. A test that asserts nothing then fails. */
export function covers(...sentences: readonly number[]): void {
  expect.hasAssertions();
  const { meta } = TestRunner.getCurrentTest()!;
  meta.covers = [...(meta.covers ?? []), ...sentences];
}
