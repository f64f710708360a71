import { describeFailure } from './site-documents.ts';
import { make } from './dom.ts';

/** The first lines show the form of an answer. */
const maxLines = 12;
const maxLineLength = 200;
/** Longer answers are not read to their end. */
const maxLength = 65_536;

/** The request of an example, in the attributes of its element. */
type Sent = { method: string; answer: string; body?: string };

/** For a call of a tool (Model Context Protocol, Streamable HTTP). */
const messageHeaders = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

/** Sends the request of an example when a person opens it. */
export function setUpLiveAnswer(details: HTMLDetailsElement): void {
  details.addEventListener('toggle', () => void showAnswer(details), { once: true });
}

async function showAnswer(details: HTMLDetailsElement): Promise<void> {
  const { method, answer: address, body = null } = details.dataset as Sent;
  const headers = body === null ? {} : messageHeaders;
  const request = fetch(address, { method, body, headers });
  const text = await request.then(readBeginning).catch(describeFailure);
  const lines = text.trimEnd().split('\n');
  const shown = lines.slice(0, maxLines).map((line) => line.slice(0, maxLineLength));

  if (lines.length > maxLines) {
    shown.push('…');
  }

  details.append(make('pre', { className: 'excerpt' }, make('code', {}, shown.join('\n'))));

  if (method === 'GET') {
    details.append(make('a', { href: address }, 'The whole answer'));
  }
}

/** The first characters of an answer; a whole JSON document is indented. */
async function readBeginning({ body, headers }: Response): Promise<string> {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';

  while (text.length < maxLength) {
    const { done, value } = await reader.read();
    if (done) {
      const isJson = headers.get('content-type')?.endsWith('json');
      return isJson ? JSON.stringify(JSON.parse(text), undefined, 2) : text;
    }

    text += value;
  }

  void reader.cancel();

  return text;
}
