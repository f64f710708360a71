import { expect, test } from 'vitest';
import * as z from 'zod';
import { RecordedFreshness } from '../../../src/core/schemas/recorded/freshness.ts';
import { JournalEvent } from '../../../src/core/schemas/recorded/journal.ts';
import { Run } from '../../../src/core/schemas/recorded/runs.ts';
import { Decision, HeldFile } from '../../../src/core/schemas/recorded/waits.ts';
import { RecordedData } from '../../../src/core/schemas/recorded/recorded.ts';
import { RecordedStatement } from '../../../src/core/schemas/published/statement.ts';
import { checked } from '../../../src/core/schemas/keys.ts';
import { OneLine, RecordedTimestamp } from '../../../src/core/schemas/scalars.ts';

const schemas = {
  RecordedData,
  RecordedFreshness,
  JournalEvent,
  Run,
  HeldFile,
  Decision,
  RecordedStatement,
};

/** The paths of texts that may be anything, of any length. */
function bareTexts(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) {
    return [];
  }
  const { type } = schema as { type?: unknown };
  const isBounded = ['pattern', 'format', 'maxLength', 'enum', 'const', 'allOf'].some(
    (key) => key in schema,
  );
  if (type === 'string') {
    return isBounded ? [] : [path];
  }
  return Object.entries(schema).flatMap(([key, part]) => bareTexts(part, `${path}.${key}`));
}

test.each(Object.entries(schemas))(
  'every text in %s has a form or a greatest length',
  (name, schema) => {
    expect(bareTexts(z.toJSONSchema(schema), name)).toEqual([]);
  },
);

test.each(['\u001b', 'before \u001b after', 'before\u0000', '\n', ' ', 'one\u2028two', ''])(
  '%j is no line of text',
  (text) => {
    expect(OneLine.safeParse(text).success).toBe(false);
  },
);

test('a text that is too long hides no other problem of its document', () => {
  const Document = checked(z.object({ text: OneLine }), (_, reject) => reject(['text'], 'a rule'));

  const { error } = Document.safeParse({ text: 'a'.repeat(60_000) });

  expect(error?.issues.map(({ code }) => code)).toEqual(['too_big', 'custom']);
});

test.each([
  ['2026-06-30', true],
  ['2026-06-30T23:59:59Z', true],
  ['2026-06-30T00:00:00.123Z', true],
  ['2026-02-30T00:00:00Z', false],
  ['2026-02-30', false],
  ['2026-06-30T24:00:00Z', false],
  ['2026-06-30T00:00:00+02:00', false],
])('%s is a day or an instant: %s', (text, expected) => {
  expect(RecordedTimestamp.safeParse(text).success).toBe(expected);
});
