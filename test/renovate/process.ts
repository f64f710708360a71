/** Runs Renovate several times in one process, because loading its hundreds of modules takes longer than a run. */
import { importRenovate } from './install.ts';

/** The message that starts a run in a repository's folder. `env` is added to the environment of this process. */
export interface RunRequest {
  folder: string;
  env: Record<string, string>;
}

export interface RunAnswer {
  code: number;
  /** Everything that Renovate printed. */
  stdout: string;
}

const logger = await importRenovate<any>('logger/index.js');
const { bootstrap } = await importRenovate<any>('proxy.js');
const { start } = await importRenovate<any>('workers/global/index.js');

await logger.init();
bootstrap();

process.on('message', async ({ folder, env }: RunRequest) => {
  let stdout = '';
  process.stdout.write = (text: string | Uint8Array) => {
    stdout += String(text);
    return true;
  };
  process.chdir(folder);
  Object.assign(process.env, env);
  logger.clearProblems();
  await logger.init();
  const code = await start();
  process.send!({ code, stdout } satisfies RunAnswer);
});
process.on('disconnect', () => process.exit());
