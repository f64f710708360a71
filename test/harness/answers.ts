import { createServer, type Server } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from './listen.ts';

/** Serves texts and JSON by path, on a free port of 127.0.0.1, until the test ends; any other path is 404. */
export async function serveAnswers(answers: Readonly<Record<string, unknown>>): Promise<string> {
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    if (!Object.hasOwn(answers, path)) {
      response.writeHead(404).end();
      return;
    }

    const answer = answers[path];
    const isText = typeof answer === 'string';
    response.setHeader('content-type', isText ? 'text/plain' : 'application/json');
    response.end(isText ? answer : JSON.stringify(answer));
  });
  const { origin, close } = await listen(server);
  onTestFinished(close);
  return origin;
}
