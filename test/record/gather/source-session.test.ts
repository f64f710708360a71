import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Http, HttpResponse } from '../../../src/io/http/client.ts';
import { openSession } from '../../../src/record/gather/source-session.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a session keeps no answer in memory that its source has dropped', async () => {
  const answers: WeakRef<HttpResponse>[] = [];
  const fetch = async () => {
    const answer = { body: Buffer.alloc(100) } as HttpResponse;
    answers.push(new WeakRef(answer));
    return answer;
  };
  const http = { openSession: () => ({ fetch, keep() {} }) } as unknown as Http;
  const session = openSession({ http, runEnd: Infinity });

  for (let count = 0; count < 20; count += 1) {
    await session.fetch({ url: 'https://example.com/' });
  }

  // A weak reference keeps its target until the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(answers.filter((answer) => answer.deref()).length).toBeLessThan(3);
  await session.fetch({ url: 'https://example.com/' });
});
