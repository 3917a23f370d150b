import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import dns from "node:dns";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { Bucket, S3Error } from "../../../../../clients/aws/s3-bucket";
import { Account } from "../../../../../simulator/clouds/aws/account";
import { services } from "../../../../../simulator/clouds/aws/services";
import { serve } from "../../../../../simulator/clouds/services/serve";

const host = "s3.eu-central-1.amazonaws.com";
const key = { accessKeyId: "AKIA0", secretAccessKey: "secret" };

/** The etcd-keeper's own client, and a mirror's connection to the services, as in a network. */
describe("the simulated S3, as used by the etcd-keeper", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-keeper-"));
    const { lookup } = dns;
    const servers: Server[] = [];
    let bucket: Bucket;

    before(async () => {
        const Statement = [{ Effect: "Allow", Action: ["s3:*Object", "s3:ListBucket"], Resource: ["arn:aws:s3:::b*"] }];
        const policy = JSON.stringify({ Statement });
        const accessKeys = { AKIA0: { secretAccessKey: key.secretAccessKey, policy } };
        const account = Account.open(join(folder, "aws.json"), {
            ...{ region: "eu-central-1", zones: {}, amis: {} },
            accessKeys,
        });
        account.put("buckets", "backups", { name: "backups", isForced: true });
        const socketPath = join(folder, "socket");
        const mirror = createServer((incoming, outgoing) => {
            const headers = { ...incoming.headers, "x-tradewind-network": "c", "x-tradewind-address": "10.9.0.4" };
            const asked = request({ socketPath, method: incoming.method, path: incoming.url, headers }, (answer) => {
                outgoing.writeHead(answer.statusCode!, answer.headers);
                answer.pipe(outgoing);
            });
            incoming.pipe(asked);
        });
        servers.push(await serve(services, account, { socket: socketPath, secret: "s", log: () => {} }), mirror);
        await new Promise<void>((resolve) => mirror.listen(0, "127.0.0.1", resolve));
        dns.lookup = ((_: string, options: { all?: boolean }, done: (...answer: unknown[]) => void) =>
            process.nextTick(
                done,
                null,
                ...(options.all ? [[{ address: "127.0.0.1", family: 4 }]] : ["127.0.0.1", 4]),
            )) as unknown as typeof lookup;
        const endpoint = `http://${host}:${(mirror.address() as AddressInfo).port}`;
        bucket = new Bucket({ endpoint, region: "eu-central-1", bucket: "backups", readCredentials: () => key });
    });
    after(() => {
        dns.lookup = lookup;
        for (const each of servers) each.close();
        rmSync(folder, { recursive: true });
    });

    it("stores a snapshot unchanged, lists it and deletes it", async () => {
        const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));
        const sha256 = createHash("sha256").update(bytes).digest("hex");
        await bucket.put("c/2026.db", { open: () => Readable.from([bytes]), size: bytes.length, sha256 });
        await bucket.putText("c/2026.json", "{}");
        assert.deepEqual(await bucket.list("c/"), ["c/2026.db", "c/2026.json"]);
        const got = createHash("sha256");
        for await (const chunk of await bucket.get("c/2026.db")) got.update(chunk);
        assert.equal(got.digest("hex"), sha256);
        await bucket.remove("c/2026.db");
        assert.deepEqual(await bucket.list("c/"), ["c/2026.json"]);
        assert.equal(await text(await bucket.get("c/2026.json")), "{}");
    });

    it("gives the reason for a rejection", async () => {
        await assert.rejects(
            () => bucket.get("c/gone"),
            (error) => error instanceof S3Error && /NoSuchKey/.test(error.message),
        );
    });
});
