import subprocess,resource,json,os,sys,shutil,time,urllib.request,hashlib,glob
port=int(sys.argv[2]); prog=sys.argv[1]; root=f'/tmp/measure-{port}'
shutil.rmtree(root,ignore_errors=True); os.makedirs(root+'/components'); os.makedirs(root+'/site')
node=prog+'/node_modules/.bin/node'
srv=subprocess.Popen([node,'/work/h/http/bugs/measure/server.mjs',str(port)]); time.sleep(1.5)
u=f'http://127.0.0.1:{port}/'
json.dump(dict(title='I',description='R.',datasource='index',releasesUrl='https://r.example.com',repositoryUrl='https://example.com/r',staleAfterDays=3),open(root+'/site/site.json','w'))
def d(n,s): json.dump(dict(title=n,homepage='https://example.com',changelogUrl='https://example.com/c',sources=[s]),open(f'{root}/components/{n}.json','w'))
for i in range(200): d(f'p{i}',dict(datasource='npm',packageName=f'p{i}',registryUrl=u+'npm/'))
for i in range(100): d(f'q{i}',dict(datasource='pypi',packageName=f'q{i}',registryUrl=u+'simple/'))
for i in range(100): d(f'g{i}',dict(datasource='github-releases',packageName=f'a/g{i}',registryUrl=u+'gh/'))
get=lambda p: urllib.request.urlopen(u+p).read().decode()
try:
  for run,day in enumerate(['2026-06-28','2026-06-29','2026-06-30'],1):
    if run==3: get('extra')
    pid=os.spawnv(os.P_NOWAIT,node,['node',prog+'/src/cli.js','gather','--root',root,'--as-of',day,'--json']) if False else None
    p=subprocess.Popen([node,prog+'/src/cli.js','gather','--root',root,'--as-of',day],stdout=subprocess.DEVNULL,stderr=subprocess.PIPE)
    err=p.stderr.read(); _,st,ru=os.wait4(p.pid,0)
    dg=hashlib.sha256(b''.join(open(f,'rb').read() for f in sorted(glob.glob(root+'/data/*.json')) if 'freshness' not in f)).hexdigest()[:12]
    print(prog,run,get('stats'),'cpu %.1f'%(ru.ru_utime+ru.ru_stime),'peak MB',ru.ru_maxrss//1024,dg,'status',st>>8,'',flush=True)
finally: srv.kill()
