import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
const sha=(t,a='sha256')=>createHash(a).update(t).digest('hex');
const at=(i)=>new Date(Date.UTC(2020,0,1)+i*864e5).toISOString();
let extra=0; const stats={requests:0,same:0,bytes:0};
const vs=(n)=>Array.from({length:n},(_,i)=>`1.${Math.floor(i/10)}.${i%10}`);
const cache=new Map();
function doc(path){
  let m;
  if(m=/^\/npm\/(p(\d+))$/.exec(path)){const n=150+(+m[2]<5?extra:0);return ['application/json',JSON.stringify({versions:Object.fromEntries(vs(n).map(v=>[v,{name:m[1],version:v,description:'x'.repeat(300)+sha(m[1]+v),dist:{integrity:'sha512-'+createHash('sha512').update(m[1]+v).digest('base64'),shasum:sha(m[1]+v,'sha1')},dependencies:{a:sha(v).slice(0,20)}}])),time:{created:at(0),...Object.fromEntries(vs(n).map((v,i)=>[v,at(i)]))}})];}
  if(m=/^\/simple\/(q(\d+))\/$/.exec(path)){const n=100+(+m[2]<5?extra:0);return ['application/vnd.pypi.simple.v1+json',JSON.stringify({versions:vs(n),files:vs(n).flatMap((v,i)=>[0,1,2,3].map(k=>({filename:`${m[1]}-${v}-py3-none-any${k}.whl`,hashes:{sha256:sha(m[1]+v+k)},'upload-time':at(i),yanked:false})))})];}
  if(m=/^\/gh\/repos\/a\/(g(\d+))\/releases\?per_page=100(?:&page=(\d))?$/.exec(path)){const i=+m[2];const n=(i<10?100:253)+(i>=10&&i<15?extra:0);const p=+(m[3]??1);const all=vs(n).reverse();const own=all.slice((p-1)*100,p*100);const next=p*100<n?{link:`<${path.split('&')[0]}&page=${p+1}>; rel="next"`}:{};return ['application/json',JSON.stringify(own.map((v,k)=>({tag_name:v,published_at:at(n-(p-1)*100-k),html_url:'https://x.example/'+v,body:'notes '+sha(m[1]+v).repeat(6),assets:[]}))),next];}
}
createServer((q,r)=>{
  if(q.url==='/stats'){r.end(JSON.stringify(stats));stats.requests=stats.same=stats.bytes=0;return;}
  if(q.url==='/extra'){extra++;cache.clear();r.end('ok');return;}
  stats.requests++;
  let c=cache.get(q.url); if(!c){const d=doc(q.url); if(!d){r.writeHead(404).end();return;} c={type:d[0],body:gzipSync(d[1]),tag:`"${sha(d[1])}"`,h:d[2]??{}};cache.set(q.url,c);}
  if(q.headers['if-none-match']===c.tag){stats.same++;r.writeHead(304,{etag:c.tag}).end();return;}
  stats.bytes+=c.body.length; r.writeHead(200,{etag:c.tag,'content-type':c.type,'content-encoding':'gzip',...c.h}).end(c.body);
}).listen(+process.argv[2],'127.0.0.1');
