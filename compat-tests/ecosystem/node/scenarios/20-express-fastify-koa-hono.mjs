import { assert, uniq, sleep, between, raw } from '../lib/util.mjs';
import http from 'node:http';
import Redis from 'ioredis';
import Redis5 from 'ioredis5';
import { createClient } from 'redis';
export const names = [
  'rate-limit-redis+node-redis6',
  'rate-limit-redis+ioredis6',
  'rate-limit-redis:script-flush-recovery',
  '@fastify/rate-limit',
  '@fastify/rate-limit:exponentialBackoff',
  'koa-ratelimit',
  'hono-rate-limiter',
  '@nestjs/throttler+@nest-lab/throttler-storage-redis',
];
const hit = (port, path = '/') =>
  new Promise((res, rej) =>
    http
      .get({ host: '127.0.0.1', port, path }, (r) => {
        r.resume();
        r.on('end', () => res({ status: r.statusCode, h: r.headers }));
      })
      .on('error', rej),
  );
const listen = (srv) =>
  new Promise((r) => {
    const s = srv.listen(0, '127.0.0.1', () => r(s));
  });
export async function run(name, { host, port }) {
  const kp = uniq('web');
  if (name.startsWith('rate-limit-redis')) {
    const { default: express } = await import('express');
    const { rateLimit } = await import('express-rate-limit');
    const { RedisStore } = await import('rate-limit-redis');
    let sendCommand, end, io;
    if (name.includes('node-redis6')) {
      const c = createClient({ socket: { host, port } });
      c.on('error', () => {});
      await c.connect();
      sendCommand = (...a) => c.sendCommand(a);
      end = () => c.close();
    } else {
      io = new Redis({ host, port });
      sendCommand = (cmd, ...a) => io.call(cmd, ...a);
      end = () => io.quit();
    }
    const store = new RedisStore({ sendCommand, prefix: kp });
    const app = express();
    const limit = (windowMs, key, to) =>
      rateLimit({
        windowMs,
        limit: 3,
        standardHeaders: 'draft-7',
        legacyHeaders: true,
        store: to,
        keyGenerator: () => key,
        validate: false,
      });
    app.get('/', limit(60000, 'me', store), (q, r) => r.send('ok'));
    const shortStore = new RedisStore({ sendCommand, prefix: kp + 's' });
    app.get('/short', limit(1500, 'me', shortStore), (q, r) => r.send('ok'));
    const s = await listen(app);
    const p = s.address().port;
    if (name.endsWith('script-flush-recovery')) {
      assert.equal((await hit(p)).status, 200);
      await io.script('FLUSH');
      assert.equal((await hit(p)).status, 200);
      const k = await store.get('me');
      assert.equal(k.totalHits, 2);
      await store.decrement('me');
      assert.equal((await store.get('me')).totalHits, 1);
      await store.resetKey('me');
      const gone = await store.get('me');
      assert.ok(gone === undefined || !gone.totalHits);
      s.close();
      await end();
      return;
    }
    const st = [];
    for (let i = 0; i < 5; i++) st.push(await hit(p));
    assert.deepEqual(
      st.map((x) => x.status),
      [200, 200, 200, 429, 429],
    );
    assert.equal(st[0].h['x-ratelimit-remaining'], '2');
    // on a slow machine the short window may end before it is used up
    while ((await hit(p, '/short')).status !== 429);
    await sleep(1600);
    assert.equal((await hit(p, '/short')).status, 200);
    s.close();
    await end();
  } else if (name.startsWith('@fastify')) {
    const { default: Fastify } = await import('fastify');
    const { default: rl } = await import('@fastify/rate-limit');
    const redis = new Redis5({ host, port, connectTimeout: 30000 });
    const app = Fastify();
    await app.register(rl, {
      max: 2,
      timeWindow: 60000,
      redis,
      nameSpace: kp,
      continueExceeding: false,
      exponentialBackoff: name.includes('exponential'),
    });
    app.get('/', async () => 'ok');
    app.get('/own', { config: { rateLimit: { max: 1, timeWindow: 60000 } } }, async () => 'ok');
    app.get('/short', { config: { rateLimit: { max: 1, timeWindow: 1000 } } }, async () => 'ok');
    const st = [];
    for (let i = 0; i < 4; i++) st.push(await app.inject('/'));
    assert.deepEqual(
      st.map((x) => x.statusCode),
      [200, 200, 429, 429],
    );
    assert.equal(st[0].headers['x-ratelimit-remaining'], '1');
    assert.deepEqual([(await app.inject('/own')).statusCode, (await app.inject('/own')).statusCode], [200, 429]);
    if (name.includes('exponential')) {
      const t = await redis.pttl(kp + '127.0.0.1');
      between(t, 72000, 120000, 'backoff ttl');
    } else {
      while ((await app.inject('/short')).statusCode !== 429);
      await sleep(1100);
      assert.equal((await app.inject('/short')).statusCode, 200);
    }
    await app.close();
    await redis.quit();
  } else if (name === 'koa-ratelimit') {
    const { default: Koa } = await import('koa');
    const { default: ratelimit } = await import('koa-ratelimit');
    const db = new Redis({ host, port });
    const app = new Koa();
    app.use(ratelimit({ driver: 'redis', db, duration: 60000, max: 2, id: () => kp }));
    app.use((ctx) => {
      ctx.body = 'ok';
    });
    const s = await listen(app);
    const p = s.address().port;
    const st = [];
    for (let i = 0; i < 3; i++) st.push((await hit(p)).status);
    assert.deepEqual(st, [200, 200, 429]);
    s.close();
    await db.quit();
  } else if (name === 'hono-rate-limiter') {
    const { Hono } = await import('hono');
    const { rateLimiter, RedisStore } = await import('hono-rate-limiter');
    const io = new Redis({ host, port });
    const client = {
      scriptLoad: (s) => io.script('LOAD', s),
      evalsha: (sha, keys, args) => io.evalsha(sha, keys.length, ...keys, ...args),
      decr: (k) => io.decr(k),
      del: (k) => io.del(k),
    };
    const app = new Hono();
    app.use(
      rateLimiter({
        windowMs: 60000,
        limit: 2,
        keyGenerator: () => 'me',
        store: new RedisStore({ client, prefix: kp }),
      }),
    );
    app.get('/', (c) => c.text('ok'));
    const st = [];
    for (let i = 0; i < 3; i++) st.push((await app.request('/')).status);
    assert.deepEqual(st, [200, 200, 429]);
    await io.quit();
  } else {
    await import('reflect-metadata');
    const { ThrottlerStorageRedisService } = await import('@nest-lab/throttler-storage-redis');
    const s = new ThrottlerStorageRedisService({ host, port });
    const inc = () => s.increment(kp, 60000, 2, 90000, 'default');
    assert.deepEqual(await inc(), { totalHits: 1, timeToExpire: 60, isBlocked: false, timeToBlockExpire: 0 });
    await inc();
    const b = await inc();
    assert.equal(b.isBlocked, true);
    assert.equal(b.totalHits, 3);
    assert.equal(b.timeToBlockExpire, 90);
    const again = await inc();
    assert.equal(again.isBlocked, true);
    assert.ok(again.timeToBlockExpire > 60);
    const short = () => s.increment(kp + 's', 3000, 2, 2000, 'default');
    while (!(await short()).isBlocked);
    await sleep(3100);
    assert.deepEqual(await short(), { totalHits: 1, timeToExpire: 3, isBlocked: false, timeToBlockExpire: 0 });
    s.onModuleDestroy();
  }
}
