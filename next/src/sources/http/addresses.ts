import { lookup } from 'node:dns/promises';
import { BlockList } from 'node:net';
import { Failure, showUrl, SourceError } from './failures.ts';

function isUnsafeHttp({ protocol, hostname }: URL, hosts: readonly string[]): boolean {
  const isLoopback =
    /(^|\.)localhost\.?$/.test(hostname) ||
    /^127(\.\d{1,3}){3}$|^\[::ffff:7f\w\w:\w+\]$|^\[::1\]$/.test(hostname);
  return protocol === 'http:' && !isLoopback && !hosts.includes(hostname);
}

/** Throws for an address that is never requested. */
export function parseUrl(plainHttpHosts: readonly string[], address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username ||
    url.password ||
    isUnsafeHttp(url, plainHttpHosts)
  ) {
    throw SourceError.at(
      url ?? address,
      'expected https: without credentials (http: is for loopback, and for plainHttpHosts of site/site.json)',
    );
  }

  url.hash = '';
  return url;
}

/** A host must not lead a run from TLS to plain http, or from the internet into a network that only this machine sees. */
export async function expectSafeTarget(from: URL, to: URL): Promise<void> {
  if (from.protocol === 'https:' && to.protocol !== 'https:') {
    throw new Failure(` leads to ${showUrl(to)}, which is not https:`);
  }
  if (to.host !== from.host && (await isLocal(to)) && !(await isLocal(from))) {
    throw new Failure(` leads to ${showUrl(to)}, an address in a local network`);
  }
}

const local = new BlockList();
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '224.0.0.0/3',
]) {
  const [address = '', bits] = network.split('/');
  local.addSubnet(address, Number(bits), 'ipv4');
}
for (const network of ['::/96', '64:ff9b::/96', 'fc00::/7', 'fe80::/10', 'ff00::/8']) {
  const [address = '', bits] = network.split('/');
  local.addSubnet(address, Number(bits), 'ipv6');
}

/** Whether a host has an address in a network that only this machine sees. A host without an address here is behind a proxy. */
export async function isLocal({ hostname }: URL): Promise<boolean> {
  const addresses = await lookup(hostname.replace(/^\[(.*)\]$/, '$1'), { all: true }).catch(
    () => [],
  );
  return addresses.some(({ address, family }) =>
    local.check(address, family === 6 ? 'ipv6' : 'ipv4'),
  );
}
