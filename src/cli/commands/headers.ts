import { servers } from '../../deliver/host/server-settings.ts';
import { flag, shared, UsageError, type Command, type Invocation } from '../command.ts';

const names = Object.keys(servers) as (keyof typeof servers)[];

export const command: Command = {
  options: {
    nginx: flag('for a server block of nginx'),
    caddy: flag('a site of a Caddyfile'),
    s3: flag('commands that copy the site to a bucket of S3'),
    ...shared('root', 'out'),
  },
  details: [
    'Prints the types, cache times, CORS and security headers of all files, from the table that "_headers" is made of.',
    'The commands for S3 copy files first, then the documents that name them, and remove what is gone at the end.',
  ],
  examples: [
    ['headers --nginx >/etc/nginx/release-index.conf', 'then include it in a server block'],
    ['headers --s3 | BUCKET=my-bucket bash', 'copies dist to the bucket'],
  ],
  run,
};

function run({ options, out, report }: Invocation): number {
  const [server, ...others] = names.filter((name) => options[name] === true);
  if (server === undefined || others.length > 0)
    throw new UsageError(`headers needs one server: ${names.map((name) => `--${name}`).join(', ')}`);
  const settings = servers[server](out);
  report.print(...settings.trimEnd().split('\n'));
  report.document({ verb: 'headers', server, settings });
  return 0;
}
