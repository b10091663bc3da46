// A recording TCP proxy: parses RESP in both directions and writes one line per
// client command and one line per reply (replies abbreviated).
// usage: node lib/tap.mjs LISTEN_PORT TARGET_PORT OUTFILE
import net from 'node:net';
import fs from 'node:fs';

export function startTap(listenPort, targetPort, outFile) {
  const out = fs.createWriteStream(outFile, { flags: 'w' });
  let nconn = 0;
  const t0 = process.hrtime.bigint();
  const stamp = () => (Number((process.hrtime.bigint() - t0) / 1000n) / 1000).toFixed(3).padStart(10);
  const server = net.createServer((client) => {
    const id = ++nconn;
    const up = net.connect(targetPort, '127.0.0.1');
    out.write(`${stamp()} #${id} OPEN\n`);
    const cp = new Parser((v) => out.write(`${stamp()} #${id} > ${fmtCmd(v)}\n`));
    const sp = new Parser((v) => out.write(`${stamp()} #${id} < ${fmtReply(v)}\n`));
    client.on('data', (d) => {
      cp.feed(d);
      up.write(d);
    });
    up.on('data', (d) => {
      sp.feed(d);
      client.write(d);
    });
    const close = (who) => () => {
      client.destroy();
      up.destroy();
    };
    client.on('end', () => up.end());
    up.on('end', () => client.end());
    client.on('error', close('c'));
    up.on('error', close('u'));
    client.on('close', () => out.write(`${stamp()} #${id} CLOSE\n`));
  });
  return new Promise((res) =>
    server.listen(listenPort, '127.0.0.1', () =>
      res({
        port: server.address().port,
        close: () =>
          new Promise((r) => {
            server.close(() => {});
            out.end(r);
          }),
      }),
    ),
  );
}

function q(s) {
  const str = s.toString('latin1');
  const esc = JSON.stringify(
    str.replace(/[^\x20-\x7e\n\t]/g, (c) => '\\x' + c.charCodeAt(0).toString(16).padStart(2, '0')),
  ).slice(1, -1);
  return /[\s"]/.test(str) || str === '' ? `"${esc}"` : esc;
}
function fmtCmd(v) {
  if (!Array.isArray(v)) return q(Buffer.from(String(v.v ?? v)));
  return v.map((x) => q(x.v ?? Buffer.from(String(x)))).join(' ');
}
function fmtReply(v, depth = 0) {
  if (v === null) return '(nil)';
  if (Array.isArray(v)) {
    const s = `[${v.map((x) => fmtReply(x, depth + 1)).join(' ')}]`;
    return (
      (v.kind && v.kind !== '*' ? v.kind : '') +
      (s.length > 600 && depth === 0 ? s.slice(0, 600) + `...(${v.length} items)` : s)
    );
  }
  if (v.t === '$') {
    const s = q(v.v);
    return s.length > 300 ? s.slice(0, 300) + `...(${v.v.length}B)` : s;
  }
  return v.t + v.v.toString('latin1');
}

class Parser {
  constructor(cb) {
    this.cb = cb;
    this.buf = Buffer.alloc(0);
    this.dead = false;
  }
  feed(d) {
    if (this.dead) return;
    this.buf = this.buf.length ? Buffer.concat([this.buf, d]) : d;
    try {
      for (;;) {
        const r = parse(this.buf, 0);
        if (!r) break;
        this.buf = this.buf.subarray(r[1]);
        this.cb(r[0]);
      }
    } catch (e) {
      this.dead = true;
      this.cb({ t: '!', v: Buffer.from('tap parse error ' + e.message) });
    }
  }
}
function line(b, p) {
  const i = b.indexOf('\r\n', p);
  return i < 0 ? null : [b.subarray(p, i), i + 2];
}
function parse(b, p) {
  if (p >= b.length) return null;
  const t = String.fromCharCode(b[p]);
  const l = line(b, p + 1);
  if (!l) return null;
  if (t === '$' || t === '=' || t === '!') {
    const n = parseInt(l[0]);
    if (n < 0) return [null, l[1]];
    if (b.length < l[1] + n + 2) return null;
    return [{ t: '$', v: b.subarray(l[1], l[1] + n) }, l[1] + n + 2];
  }
  if ('*%~>|'.includes(t)) {
    let n = parseInt(l[0]);
    if (n < 0) return [null, l[1]];
    if (t === '%' || t === '|') n *= 2;
    const a = [];
    a.kind = t;
    let pos = l[1];
    for (let i = 0; i < n; i++) {
      const r = parse(b, pos);
      if (!r) return null;
      a.push(r[0]);
      pos = r[1];
    }
    return [a, pos];
  }
  if ('+-:,#(_'.includes(t)) return [{ t, v: l[0] }, l[1]];
  // inline command
  const il = line(b, p);
  return [{ t: '', v: il[0] }, il[1]];
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const [, , lp, tp, of] = process.argv;
  const t = await startTap(+lp, +tp, of);
  console.log('tap listening on', t.port);
}
