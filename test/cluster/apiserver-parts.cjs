/**
 * What kube-apiserver can connect to in addition to etcd, for the test of its files: a KMS v2 plugin with a key of its own, a
 * receiver of traces, a proxy to the cluster, and a receiver of audit events. Each request adds a line to a log.
 */
const { createCipheriv, createDecipheriv, createHash, randomBytes } = require("node:crypto");
const { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const http = require("node:http");
const http2 = require("node:http2");
const https = require("node:https");
const { connect } = require("node:net");

const { SOCKETS: sockets, DATA: data, CERT: cert, KEY: key } = process.env;
const saw = (line) => appendFileSync(`${data}/seen.log`, `${line}\n`);

/** Fields of a protobuf message that has only strings, bytes and messages. */
function decode(message) {
    const fields = {};
    let at = 0;
    const varint = () => {
        for (let value = 0, shift = 0; ; shift += 7) {
            const byte = message[at++];
            value |= (byte & 127) << shift;
            if (byte < 128) return value;
        }
    };
    while (at < message.length) {
        const field = varint() >> 3;
        const length = varint();
        fields[field] = message.subarray(at, at + length);
        at += length;
    }
    return fields;
}

function encode(fields) {
    const varint = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]);
    const parts = Object.entries(fields).flatMap(([field, value]) => {
        const bytes = Buffer.from(value);
        return [Buffer.from([(Number(field) << 3) | 2, ...varint(bytes.length)]), bytes];
    });
    return Buffer.concat(parts);
}

/** A gRPC server of methods that take and return one message. */
function grpc(methods) {
    const server = http2.createServer();
    server.on("stream", async (stream, { ":path": path }) => {
        const chunks = [];
        for await (const chunk of stream) chunks.push(chunk);
        // Before the message are a byte that says whether it is compressed, and its length.
        const answer = methods[path](Buffer.concat(chunks).subarray(5));
        const head = Buffer.alloc(5);
        head.writeUInt32BE(answer.length, 1);
        stream.respond({ "content-type": "application/grpc" }, { waitForTrailers: true });
        stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
        stream.end(Buffer.concat([head, answer]));
    });
    return server;
}

function socket(name) {
    const path = `${sockets}/${name}.sock`;
    rmSync(path, { force: true });
    return path;
}

const keyFile = `${data}/key`;
if (!existsSync(keyFile)) writeFileSync(keyFile, randomBytes(32), { mode: 0o600 });
const secretKey = readFileSync(keyFile);
const keyId = createHash("sha256").update(secretKey).digest("hex").slice(0, 16);

grpc({
    "/v2.KeyManagementService/Status": () => encode({ 1: "v2", 2: "ok", 3: keyId }),
    "/v2.KeyManagementService/Encrypt": (request) => {
        const nonce = randomBytes(12);
        const cipher = createCipheriv("aes-256-gcm", secretKey, nonce);
        const hidden = Buffer.concat([cipher.update(decode(request)[1]), cipher.final()]);
        saw("encrypt");
        return encode({ 1: Buffer.concat([nonce, cipher.getAuthTag(), hidden]), 2: keyId });
    },
    "/v2.KeyManagementService/Decrypt": (request) => {
        const hidden = decode(request)[1];
        const cipher = createDecipheriv("aes-256-gcm", secretKey, hidden.subarray(0, 12));
        cipher.setAuthTag(hidden.subarray(12, 28));
        saw("decrypt");
        return encode({ 1: Buffer.concat([cipher.update(hidden.subarray(28)), cipher.final()]) });
    },
}).listen(socket("kms"));

grpc({
    "/opentelemetry.proto.collector.trace.v1.TraceService/Export": (request) => {
        const service = /apiserver/.exec(request.toString("latin1"))?.[0];
        saw(`spans of ${service}, ${request.length} bytes`);
        return Buffer.alloc(0);
    },
}).listen(14317, "127.0.0.1");

http.createServer()
    .on("connect", ({ url }, client, head) => {
        saw(`to ${url}`);
        const { hostname, port } = new URL(`tcp://${url}`);
        const server = connect(port, hostname, () => {
            client.write("HTTP/1.1 200 Connection established\r\n\r\n");
            server.write(head);
            server.pipe(client).pipe(server);
        });
        for (const [one, other] of [
            [client, server],
            [server, client],
        ]) {
            one.on("error", () => other.destroy());
        }
    })
    .listen(socket("egress"));

https
    .createServer({ cert, key }, async (request, answer) => {
        const chunks = [];
        for await (const chunk of request) chunks.push(chunk);
        for (const { verb, requestURI } of JSON.parse(Buffer.concat(chunks).toString()).items) {
            saw(`audit ${request.headers.authorization} ${verb} ${requestURI}`);
        }
        answer.end();
    })
    .listen(19443, "127.0.0.1");
