import { strict as assert } from 'node:assert';
import net from 'node:net';
export { assert };
export const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
let n = 0;
// unique, FLUSHALL-free key names so that scenarios can run side by side
export const uniq = (p = 'k') => `compat:${p}:${process.pid}:${Date.now().toString(36)}:${n++}`;
// how long an operation takes, in ms
export async function timed(f) {
  const t = performance.now();
  const v = await f();
  return [performance.now() - t, v];
}
export function between(v, lo, hi, what) {
  assert.ok(v >= lo && v <= hi, `${what}: expected ${lo}..${hi}, got ${v}`);
}
// raw RESP2 round trip on a private socket; returns parsed reply (errors come back as {err})
export function raw(port, ...cmds) {
  return new Promise((resolve, reject) => {
    const s = net.connect(port, '127.0.0.1');
    let buf = Buffer.alloc(0);
    const out = [];
    s.setTimeout(30000, () => {
      s.destroy();
      reject(new Error('raw timeout'));
    });
    s.on('error', reject);
    s.on('data', (d) => {
      buf = Buffer.concat([buf, d]);
      for (;;) {
        const r = parse(buf, 0);
        if (!r) return;
        buf = buf.subarray(r[1]);
        out.push(r[0]);
        if (out.length === cmds.length) {
          s.destroy();
          resolve(cmds.length === 1 ? out[0] : out);
          return;
        }
      }
    });
    s.write(
      cmds
        .map((c) => `*${c.length}\r\n` + c.map((a) => `$${Buffer.byteLength(String(a))}\r\n${a}\r\n`).join(''))
        .join(''),
    );
  });
}
function parse(b, p) {
  const i = b.indexOf('\r\n', p);
  if (i < 0) return null;
  const t = String.fromCharCode(b[p]);
  const l = b.toString('utf8', p + 1, i);
  let pos = i + 2;
  if (t === '+') return [l, pos];
  if (t === '-') return [{ err: l }, pos];
  if (t === ':') return [Number(l), pos];
  if (t === '$') {
    const len = +l;
    if (len < 0) return [null, pos];
    if (b.length < pos + len + 2) return null;
    return [b.toString('utf8', pos, pos + len), pos + len + 2];
  }
  if (t === '*') {
    const len = +l;
    if (len < 0) return [null, pos];
    const a = [];
    for (let k = 0; k < len; k++) {
      const r = parse(b, pos);
      if (!r) return null;
      a.push(r[0]);
      pos = r[1];
    }
    return [a, pos];
  }
  throw new Error('bad reply type ' + t);
}
