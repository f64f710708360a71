import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

/** Types each answer on a real terminal when its question has come. `question`: what each question ends with. */
export async function typeOn(
  command: string,
  question: RegExp,
  answers: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ said: string; status: number }> {
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...process.env, CI: '', ...env },
  });
  let said = '';
  let count = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    const questions = [...stripVTControlCharacters(said).matchAll(question)].length;
    if (questions > count && count < answers.length) {
      child.stdin.write(`${answers[count++]}\r`);
    }
  });
  const [status] = (await once(child, 'close')) as [number];
  return { said, status };
}
