import { expect, TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** The sentences of the specification that the test shows, in the words of the list. */
    covers?: string[];
  }
}

/** States which sentences of test/specification/README.md the running test shows. A test that asserts nothing then fails. */
export function covers(...sentences: readonly string[]): void {
  expect.hasAssertions();
  const { meta } = TestRunner.getCurrentTest()!;
  meta.covers = [...(meta.covers ?? []), ...sentences];
}
