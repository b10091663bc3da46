#!/usr/bin/env node
// The README's table of libraries: for each, its scenarios passed on Sluice and on Redis, and the speed of its hottest
// call on both, in one run: node measure.mjs [--only text] [--requests N] [--runs N]
//
// The hottest call is what the library sent most often while its scenario ran, read off the wire: a command, a script,
// or a whole transaction. It is sent again and again from 8 connections, 16 at a time, to Redis and Sluice in turns; the
// server is on one processor, this program on another. Medians; CPU is what the server's process used per request.
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { spawn, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const HOME = path.join(HERE, '..', '..');
const CONNECTIONS = 8,
  PIPELINE = 16,
  SERVER_CPU = '0',
  CLIENT_CPU = '1',
  TICKS_PER_SECOND = 100;
const argument = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const REQUESTS = +argument('requests', 60000),
  RUNS = +argument('runs', 3),
  ONLY = argument('only', '');

const packages = JSON.parse(fs.readFileSync(path.join(HERE, 'node', 'package.json'))).dependencies;
const npm = (name) => packages[name].replace(/^npm:.*@/, '');
const pom = fs.readFileSync(path.join(HERE, 'java', 'pom.xml'), 'utf8');
const jar = (name) => pom.match(new RegExp(`<${name}.version>([0-9.]+[0-9])`))[1];
const deb = (name) => {
  try {
    return execFileSync('dpkg-query', ['-W', '-f', '${Version}', name], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .replace(/^\d+:/, '')
      .match(/^[0-9.]*[0-9]/)[0];
  } catch {
    return '';
  }
};

// Library, version, part, the beginning of its scenarios' names, the scenario that is recorded.
const LIBRARIES = [
  [
    'rate-limiter-flexible',
    npm('rate-limiter-flexible'),
    'node',
    'rate-limiter-flexible:',
    'rate-limiter-flexible:RateLimiterRedis+ioredis6',
  ],
  ['rate-limit-redis', npm('rate-limit-redis'), 'node', 'rate-limit-redis', 'rate-limit-redis+ioredis6'],
  ['@fastify/rate-limit', npm('@fastify/rate-limit'), 'node', '@fastify/rate-limit', '@fastify/rate-limit'],
  ['bottleneck', npm('bottleneck'), 'node', 'bottleneck:', 'bottleneck:ioredis'],
  ['koa-ratelimit', npm('koa-ratelimit'), 'node', 'koa-ratelimit', 'koa-ratelimit'],
  ['async-ratelimiter', npm('async-ratelimiter'), 'node', 'async-ratelimiter', 'async-ratelimiter'],
  ['hono-rate-limiter', npm('hono-rate-limiter'), 'node', 'hono-rate-limiter', 'hono-rate-limiter'],
  [
    '@nest-lab/throttler-storage-redis',
    npm('@nest-lab/throttler-storage-redis'),
    'node',
    '@nestjs/throttler',
    '@nestjs/throttler+@nest-lab/throttler-storage-redis',
  ],
  ['redis-gcra', npm('redis-gcra'), 'node', 'redis-gcra', 'redis-gcra'],
  ['ratelimiter', npm('ratelimiter'), 'node', 'ratelimiter+', 'ratelimiter+ioredis'],
  ['rolling-rate-limiter', npm('rolling-rate-limiter'), 'node', 'rolling-rate-limiter', 'rolling-rate-limiter+ioredis'],
  [
    'sliding-window-rate-limiter',
    npm('sliding-window-rate-limiter'),
    'node',
    'sliding-window-rate-limiter',
    'sliding-window-rate-limiter',
  ],
  [
    '@upstash/ratelimit',
    `${npm('@upstash/ratelimit')}, ${npm('upstash-ratelimit22')}`,
    'node',
    '@upstash/ratelimit',
    '@upstash/ratelimit:tokenBucket',
  ],
  ['ioredis', ['ioredis4', 'ioredis5', 'ioredis'].map(npm).join(', '), 'node', 'client:ioredis', null],
  ['node-redis', ['redis3', 'redis4', 'redis5', 'redis'].map(npm).join(', '), 'node', 'client:node-redis', null],
  ['iovalkey', npm('iovalkey'), 'node', 'client:iovalkey', null],
  ['Valkey GLIDE', npm('@valkey/valkey-glide'), 'node', 'client:valkey-glide', null],
  ['Bucket4j', jar('bucket4j'), 'java', 'bucket4j', 'bucket4j-lettuce'],
  ['Redisson', jar('redisson'), 'java', 'redisson:', 'redisson:RRateLimiter-overall'],
  ['Jedis', jar('jedis'), 'java', 'jedis:', null],
  ['Lettuce', jar('lettuce'), 'java', 'lettuce:', null],
  ['Spring Cloud Gateway', '2025.1.2', 'spring', 'spring-cloud-gateway', 'spring-cloud-gateway:RedisRateLimiter'],
  ['limits', deb('python3-limits'), 'misc', 'limits', 'limits'],
  ['Flask-Limiter', deb('python3-flask-limiter'), 'misc', 'flask-limiter', 'flask-limiter'],
  ['django-redis', deb('python3-django-redis'), 'misc', 'django-redis', 'django-redis'],
  ['rack-attack', deb('ruby-rack-attack'), 'misc', 'rack-attack', 'rack-attack'],
  ['ActiveSupport cache', deb('ruby-activesupport'), 'misc', 'activesupport', 'activesupport-cache'],
  ['Symfony RateLimiter', deb('php-symfony-rate-limiter'), 'misc', 'symfony', 'symfony-rate-limiter'],
  ['redis-py', deb('python3-redis'), 'misc', 'redis-py', null],
  ['redis-rb', deb('ruby-redis'), 'misc', 'redis-rb', null],
  ['phpredis, Predis', `${deb('php-redis')}, ${deb('php-predis')}`, 'misc', 'phpredis', null],
  ['hiredis', deb('libhiredis-dev'), 'misc', 'hiredis', null],
  ['redis-cli, redis-benchmark', deb('redis-tools'), 'misc', /^redis-(cli|benchmark)/, null],
  ['redis-cell clients', '', 'node', /^(CL\.THROTTLE|GCRA)/, 'CL.THROTTLE+ioredis'],
].filter((row) => row[0].includes(ONLY));
// What a client sends besides its work.
const ASIDE = new Set([
  'HELLO',
  'CLIENT',
  'INFO',
  'PING',
  'SELECT',
  'SCRIPT',
  'SUBSCRIBE',
  'UNSUBSCRIBE',
  'PUBLISH',
  'QUIT',
  'COMMAND',
  'CONFIG',
  'DEL',
  'FLUSHALL',
  'FUNCTION',
]);

const freePort = () =>
  new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

async function start(kind) {
  const port = await freePort();
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'measure-'));
  const common = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', dir];
  const command =
    kind === 'Redis'
      ? ['redis-server', ...common, '--save', '']
      : [path.join(HOME, 'bin', 'sluice-server'), ...common, '--script-error-code', 'bare'];
  const child = spawn('taskset', ['-c', SERVER_CPU, ...command], { stdio: 'ignore' });
  // The launcher may have to build it first.
  for (let i = 0; i < 3000 && child.exitCode === null; i++) {
    const reply = await ask(port, 'PING\r\n').catch(() => '');
    if (reply.startsWith('+PONG')) return { kind, port, dir, child };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill();
  throw new Error(`${kind} does not start`);
}

const ask = (port, bytes) =>
  new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('error', reject);
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString('latin1'));
    });
  });

// Sends requests and waits until the server has done them: it closes then.
const tell = (port, bytes) =>
  new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.on('error', reject).on('close', resolve).resume();
  });

function cpuSeconds(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return (+fields[11] + +fields[12]) / TICKS_PER_SECOND;
}

// Requests in the buffer from a position on, as [start, end, words]; what is incomplete is left.
function* requests(buffer) {
  let at = 0;
  while (at < buffer.length && buffer[at] === 42) {
    const start = at;
    const lineEnd = () => buffer.indexOf('\r\n', at);
    let end = lineEnd();
    if (end < 0) return;
    let count = parseInt(buffer.toString('latin1', at + 1, end));
    const words = [];
    at = end + 2;
    for (; count > 0; count--) {
      end = lineEnd();
      if (end < 0) return;
      const length = parseInt(buffer.toString('latin1', at + 1, end));
      if (buffer.length < end + 2 + length + 2) return;
      words.push(buffer.toString('latin1', end + 2, end + 2 + length));
      at = end + 2 + length + 2;
    }
    yield [start, at, words];
  }
}

// Runs a scenario through a proxy; gives the hottest call of what it sent, and what makes the keys that it needs.
async function record(server, part, scenario) {
  const streams = [];
  const proxy = net.createServer((client) => {
    const chunks = [];
    streams.push(chunks);
    const upstream = net.connect(server.port, '127.0.0.1');
    client.on('data', (data) => {
      chunks.push(data);
      upstream.write(data);
    });
    upstream.on('data', (data) => client.write(data));
    const close = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const end of [client, upstream]) end.on('close', close).on('error', close);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  await run(part, proxy.address().port, scenario);
  proxy.close();
  const calls = new Map();
  const setUp = [];
  for (const chunks of streams) {
    const buffer = Buffer.concat(chunks);
    let database = '0',
      transaction = null;
    for (const [from, to, words] of requests(buffer)) {
      const verb = words[0].toUpperCase();
      if (verb === 'SELECT') database = words[1];
      if (verb === 'SELECT' || !ASIDE.has(verb)) setUp.push(buffer.subarray(from, to));
      const add = (name, start, replies) => {
        const call = calls.get(name) ?? { name, count: 0 };
        calls.set(
          name,
          Object.assign(call, { count: call.count + 1, bytes: buffer.subarray(start, to), replies, database }),
        );
      };
      if (verb === 'MULTI') transaction = { start: from, names: [] };
      else if (verb === 'EXEC' && transaction) {
        add(`MULTI ${[...new Set(transaction.names)].join(' ')} EXEC`, transaction.start, transaction.names.length + 2);
        transaction = null;
      } else if (transaction) transaction.names.push(verb);
      else if (!ASIDE.has(verb))
        add(
          /^(EVAL|FCALL)/.test(verb)
            ? `${verb.replace('EVALSHA', 'EVAL')} ${words[1].length === 40 ? words[1].slice(0, 6) : ''}`
            : verb,
          from,
          1,
        );
    }
  }
  const hottest = [...calls.values()].sort((a, b) => b.count - a.count)[0];
  return hottest && Object.assign(hottest, { setUp: Buffer.concat(setUp) });
}

function run(part, port, only) {
  return new Promise((resolve) => {
    const child = spawn(
      'taskset',
      ['-c', CLIENT_CPU, path.join(HERE, 'run'), part, `${port}`, ...(only ? [only] : [])],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    let text = '';
    child.stdout.on('data', (data) => {
      text += data;
    });
    child.on('close', () => resolve(text.split('\n').filter((line) => /^(PASS|FAIL|SKIPPED) /.test(line))));
  });
}

// The end of the reply that begins at a position, or -1.
function replyEnd(buffer, at) {
  const end = buffer.indexOf('\r\n', at);
  if (end < 0) return -1;
  const type = String.fromCharCode(buffer[at]);
  const length = '$=*~>%'.includes(type) ? parseInt(buffer.toString('latin1', at + 1, end)) : 0;
  if ('$='.includes(type)) {
    const to = length < 0 ? end + 2 : end + 2 + length + 2;
    return to <= buffer.length ? to : -1;
  }
  let to = end + 2;
  for (let i = '*~>%'.includes(type) ? length * (type === '%' ? 2 : 1) : 0; i > 0; i--) {
    to = to < buffer.length ? replyEnd(buffer, to) : -1;
    if (to < 0) return -1;
  }
  return to;
}

// Sends a call so many times; gives requests a second and microseconds of the server's CPU for each.
async function replay(server, call, count) {
  const { pid } = server.child; // taskset and the launcher have become the server
  const batch = Buffer.concat(Array(PIPELINE).fill(call.bytes));
  const each = Math.ceil(count / CONNECTIONS / PIPELINE);
  let errors = '';
  const before = cpuSeconds(pid),
    began = process.hrtime.bigint();
  await Promise.all(
    Array.from(
      { length: CONNECTIONS },
      () =>
        new Promise((resolve, reject) => {
          let left = each,
            replies = -1,
            rest = Buffer.alloc(0);
          const socket = net.connect(server.port, '127.0.0.1', () => socket.write(`SELECT ${call.database}\r\n`));
          socket.setNoDelay(true);
          socket.on('error', reject);
          socket.on('data', (data) => {
            rest = rest.length ? Buffer.concat([rest, data]) : data;
            let at = 0;
            for (let to; at < rest.length && (to = replyEnd(rest, at)) > 0; at = to) {
              if (rest[at] === 45 && !errors) errors = rest.toString('latin1', at, to).trim();
              replies++;
            }
            rest = rest.subarray(at);
            if (replies === 0 || replies === PIPELINE * call.replies) {
              replies = 0;
              if (left-- === 0) {
                socket.destroy();
                resolve();
              } else socket.write(batch);
            }
          });
        }),
    ),
  );
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const done = each * CONNECTIONS * PIPELINE;
  return { rate: done / seconds, cpu: ((cpuSeconds(pid) - before) / done) * 1e6, errors };
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];
const thousands = (number) => `${Math.round(number / 1000)} k`;

async function compare(servers, part, scenario) {
  const calls = [];
  for (const server of servers) calls.push(await record(server, part, scenario));
  if (calls.some((call) => !call)) return '| - | - | - | - |';
  const results = servers.map(() => []);
  const lacking = new Set();
  for (let i = 0; i <= RUNS; i++) {
    for (let s = 0; s < servers.length; s++) {
      if (lacking.has(s)) continue;
      // Scenarios remove their keys in the end, and some keys expire.
      await tell(servers[s].port, calls[s].setUp);
      const result = await replay(servers[s], calls[s], REQUESTS);
      if (result.errors) {
        // Redis does not know the command, say; how fast it says so is of no interest.
        console.error(`${scenario} on ${servers[s].kind}: ${result.errors}`);
        lacking.add(s);
      } else if (i > 0) results[s].push(result); // the first one warms up
    }
  }
  const [redis, sluice] = results.map((rows, s) =>
    lacking.has(s) ? null : { rate: median(rows.map((r) => r.rate)), cpu: median(rows.map((r) => r.cpu)) },
  );
  const rate = (of) => (of ? thousands(of.rate) : '-'),
    cpu = (of) => (of ? of.cpu.toFixed(1) : '-');
  return (
    `| ${calls[1].name.trim()} | ${rate(sluice)} / ${rate(redis)} | ` +
    `${sluice && redis ? (sluice.rate / redis.rate).toFixed(2) : '-'} | ${cpu(sluice)} / ${cpu(redis)} us |`
  );
}

const sluiceServer = await start('Sluice');
const servers = [await start('Redis'), sluiceServer];
try {
  execFileSync('taskset', ['-p', '-c', CLIENT_CPU, `${process.pid}`], { stdio: 'ignore' });
  const outcomes = {};
  for (const part of new Set(LIBRARIES.map((row) => row[2]))) {
    outcomes[part] = await Promise.all(servers.map((server) => run(part, server.port, '')));
  }
  console.log(
    '| library | version | scenarios passed: Sluice | Redis | hottest call | calls/s: Sluice / Redis | ratio | server CPU a call: Sluice / Redis |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const [library, version, part, names, scenario] of LIBRARIES) {
    const mine = (line) =>
      names instanceof RegExp ? names.test(line.split(' ')[1]) : line.split(' ')[1].startsWith(names);
    const [redis, sluice] = outcomes[part]
      .map((lines) => lines.filter(mine))
      .map((lines) => `${lines.filter((line) => line.startsWith('PASS ')).length} of ${lines.length}`);
    console.log(
      `| ${library} | ${version} | ${sluice} | ${redis} ${scenario ? await compare(servers, part, scenario) : '| | | | |'}`,
    );
  }
} finally {
  for (const { child, dir } of servers) {
    child.kill();
    await new Promise((resolve) => child.on('close', resolve));
    fs.rmSync(dir, { recursive: true, force: true });
  }
}
