// A provider that can fail: an HTTP and WebSocket proxy before one node, whose behaviour is switched while it runs.
import http from 'node:http';
import net from 'node:net';
import { once } from 'node:events';

/**
 * The behaviours. `delayMs` slows the answers down, everything else replaces them.
 *
 * - `pass`         the node answers
 * - `hang`         the request is taken and never answered; open WebSockets fall silent
 * - `rateLimited`  429 with `Retry-After: retryAfterSeconds`
 * - `unavailable`  503 with an HTML page, as load balancers send it
 * - `reset`        the connection is reset in the middle of the request; open WebSockets are reset at once
 * - `refuse`       nobody listens; open connections end at once
 */
const KINDS = ['pass', 'hang', 'rateLimited', 'unavailable', 'reset', 'refuse'];

export class FaultProxy {
  #node;
  #server;
  #agent = new http.Agent({ keepAlive: true });
  #sockets = new Set();
  #bridges = new Set();
  #fault = { kind: 'pass' };

  /** Requests that arrived, by JSON-RPC method (each batch item counts), whatever became of them. */
  received = new Map();
  /** Requests that the node answered, by JSON-RPC method. */
  answered = new Map();

  constructor(node) {
    this.#node = node;
  }

  /** Starts a proxy before `node` ({port}) on a port of 127.0.0.1, by default a free one. */
  static async start(node, port = 0) {
    const proxy = new FaultProxy(node);
    await proxy.#listen(port);
    return proxy;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  get wsUrl() {
    return `ws://127.0.0.1:${this.port}`;
  }

  get fault() {
    return this.#fault;
  }

  /** Answered requests of these methods together. */
  answeredOf(...methods) {
    return methods.reduce((sum, method) => sum + (this.answered.get(method) ?? 0), 0);
  }

  /** Changes the behaviour; takes effect for requests that arrive from now on, `refuse` and `hang` also for open ones. */
  async become(kind, { retryAfterSeconds = 2, delayMs = 0 } = {}) {
    if (!KINDS.includes(kind)) throw new Error(`no such behaviour: ${kind}; there are ${KINDS.join(', ')}`);
    this.#fault = { kind, retryAfterSeconds, delayMs };
    if (kind === 'refuse') await this.#closeListener();
    else if (!this.#server) await this.#listen(this.port);
    for (const bridge of this.#bridges) {
      if (kind === 'reset') bridge.reset();
      else bridge.silence(kind === 'hang');
    }
  }

  async stop() {
    await this.#closeListener();
    this.#agent.destroy();
  }

  async #listen(port) {
    const server = http.createServer((request, response) => this.#serve(request, response));
    server.keepAliveTimeout = 60_000;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('upgrade', (request, socket, head) => this.#bridge(request, socket, head));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    this.port = server.address().port;
  }

  async #closeListener() {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    const closed = new Promise((resolve) => server.close(resolve));
    this.#sockets.forEach((socket) => socket.destroy());
    await closed;
  }

  async #serve(request, response) {
    const chunks = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks);
    const methods = methodsOf(body);
    methods.forEach((method) => increment(this.received, method));
    const { kind, retryAfterSeconds, delayMs } = this.#fault;
    switch (kind) {
      case 'pass':
        if (delayMs) setTimeout(() => this.#forward(request, body, methods, response), delayMs);
        else this.#forward(request, body, methods, response);
        break;
      case 'hang':
        break;
      case 'reset':
        request.socket.resetAndDestroy();
        break;
      case 'rateLimited':
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': String(retryAfterSeconds) });
        response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"Too many requests"}}');
        break;
      case 'unavailable':
        response.writeHead(503, { 'content-type': 'text/html' });
        response.end('<html><body>503 Service Temporarily Unavailable</body></html>');
        break;
      case 'refuse':
        request.socket.destroy();
        break;
    }
  }

  #forward(request, body, methods, response) {
    const upstream = http.request(
      {
        host: '127.0.0.1',
        port: this.#node.port,
        agent: this.#agent,
        method: request.method,
        path: request.url,
        headers: { ...request.headers, host: `127.0.0.1:${this.#node.port}`, 'content-length': body.length },
      },
      (answer) => {
        methods.forEach((method) => increment(this.answered, method));
        const { connection, 'transfer-encoding': encoding, ...headers } = answer.headers;
        response.writeHead(answer.statusCode, headers);
        answer.pipe(response);
      },
    );
    upstream.on('error', () => response.destroy());
    response.on('error', () => upstream.destroy());
    upstream.end(body);
  }

  #bridge(request, client, head) {
    const { kind } = this.#fault;
    if (kind === 'hang') return;
    if (kind !== 'pass') {
      const status = kind === 'rateLimited' ? '429 Too Many Requests' : '503 Service Unavailable';
      client.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const node = net.connect(this.#node.port, '127.0.0.1', () => {
      const headers = request.rawHeaders.reduce((text, part, i) => text + part + (i % 2 ? '\r\n' : ': '), '');
      node.write(`${request.method} ${request.url} HTTP/1.1\r\n${headers}\r\n`);
      node.write(head);
      client.pipe(node);
      node.pipe(client);
    });
    const bridge = {
      silence(on) {
        for (const socket of [client, node]) {
          if (on) socket.pause();
          else socket.resume();
        }
      },
      reset: () => client.resetAndDestroy(),
    };
    this.#bridges.add(bridge);
    node.on('error', () => client.destroy());
    node.once('close', () => client.destroy());
    client.once('close', () => {
      this.#bridges.delete(bridge);
      node.destroy();
    });
  }
}

function methodsOf(body) {
  try {
    const parsed = JSON.parse(body);
    return (Array.isArray(parsed) ? parsed : [parsed]).map((call) => String(call?.method));
  } catch {
    return ['(unreadable)'];
  }
}

function increment(counts, key) {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
