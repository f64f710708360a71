import { expect, test } from 'vitest';
import { explainError } from '../../../src/ask/answers/explain-error.ts';
import { inputError } from '../../../src/core/schemas/finding.ts';

test.each(['answered 401. Set a credential.', 'answered 401'])(
  'an index that cannot be read is explained with one full stop at the end: %s',
  (message) => {
    const explained = explainError(inputError('GET https://releases.example.com/', message));

    expect(explained?.message).toMatch(/[^.]\.$/);
  },
);
