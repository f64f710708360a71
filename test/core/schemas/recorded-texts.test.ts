import { expect, test } from 'vitest';
import * as z from 'zod';
import { RecordedFreshness } from '../../../src/core/schemas/recorded/freshness.ts';
import { JournalEvent } from '../../../src/core/schemas/recorded/journal.ts';
import { Run } from '../../../src/core/schemas/recorded/runs.ts';
import { Decision, HeldFile } from '../../../src/core/schemas/recorded/waits.ts';
import { RecordedData } from '../../../src/core/schemas/recorded/recorded.ts';
import { Line } from '../../../src/core/schemas/scalars.ts';

const schemas = { RecordedData, RecordedFreshness, JournalEvent, Run, HeldFile, Decision };

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

test.each(['\u001b', 'before \u001b after', 'before\u0000', '\n', ' '])(
  '%j is no line of text',
  (text) => {
    expect(Line.safeParse(text).success).toBe(false);
  },
);
