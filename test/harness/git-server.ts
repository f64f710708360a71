import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from './root.ts';
import type { Handler } from './upstream.ts';

/** A bare repository `group/agent.git` with these tags; those that begin with `+` are annotated. Gives the folder of the server. */
export function repositoryWithTags(tags: readonly string[]): string {
  const root = temporaryFolder();
  const dir = join(root, 'group/agent.git');
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', dir, ...author, ...args], { encoding: 'utf8' }).trim();
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', dir]);
  const tree = execFileSync('git', ['-C', dir, 'hash-object', '-t', 'tree', '-w', '--stdin'], {
    input: '',
  });
  const commit = git('commit-tree', '-m', 'First.', tree.toString().trim());
  git('update-ref', 'refs/heads/main', commit);
  for (const tag of tags) {
    if (tag.startsWith('+')) {
      git('tag', '-a', '-m', 'Released.', tag.slice(1), commit);
    } else {
      git('tag', tag, commit);
    }
  }
  return root;
}

/** Git's own server (git-scm.com/docs/git-http-backend). Without `protocols` it answers as one that knows no newer protocol. */
export function gitServer(root: string, { protocols = true } = {}): Handler {
  return (request, response) => {
    const { pathname, search } = new URL(request.url!, 'http://127.0.0.1');
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        REQUEST_METHOD: request.method,
        PATH_INFO: decodeURIComponent(pathname),
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        ...(protocols && { GIT_PROTOCOL: String(request.headers['git-protocol'] ?? '') }),
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    request.pipe(child.stdin);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('close', () => {
      const output = Buffer.concat(chunks);
      const end = output.indexOf('\r\n\r\n');
      const headers = output
        .toString('latin1', 0, end)
        .split('\r\n')
        .map((line) => line.split(': ') as [string, string]);
      for (const [name, value] of headers) {
        if (name === 'Status') {
          response.statusCode = Number.parseInt(value, 10);
        } else {
          response.setHeader(name, value);
        }
      }
      response.end(output.subarray(end + 4));
    });
  };
}
