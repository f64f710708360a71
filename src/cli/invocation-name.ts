import { isCheckout } from '../io/program.ts';
import type { Process } from './process.ts';

/** The command prefix by which the program was started: what stands in front of the verb. */
export function invocationName({ argv, env }: Pick<Process, 'argv' | 'env'>): string {
  if (env['npm_command'] === 'exec') return 'npx release-index';
  if (isCheckout) return 'npm run -s release-index --';
  // The command of a dependency is not in the person's PATH, only in that of the scripts of their package.json.
  const isDependency = /[\\/]node_modules[\\/]\.bin[\\/]/.test(argv[1] ?? '');
  return isDependency || env['npm_command'] !== undefined ? 'npx release-index' : 'release-index';
}
