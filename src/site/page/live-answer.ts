import { describeFailure } from './documents.ts';
import { make } from './dom.ts';

/** The first lines show the form of an answer. */
const mostLines = 12;

/** Sends the request of an example when a person opens it. */
export function setUpLiveAnswer(details: HTMLDetailsElement): void {
  details.hidden = false;
  details.addEventListener('toggle', () => void showAnswer(details), { once: true });
}

async function showAnswer(details: HTMLDetailsElement): Promise<void> {
  const { method, answer: address } = details.dataset as { method: string; answer: string };
  const text = await fetch(address, { method }).then(readPretty).catch(describeFailure);
  const lines = text.trimEnd().split('\n');
  const isLong = lines.length > mostLines;
  const shown = isLong ? [...lines.slice(0, mostLines), '…'] : lines;
  details.append(make('pre', { className: 'whole' }, make('code', {}, shown.join('\n'))));
  if (isLong && method === 'GET') {
    details.append(make('a', { href: address }, 'The whole answer'));
  }
}

async function readPretty(response: Response): Promise<string> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.endsWith('json');
  return isJson ? JSON.stringify(JSON.parse(text), undefined, 2) : text;
}
