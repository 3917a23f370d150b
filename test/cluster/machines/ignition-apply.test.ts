import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import * as ignition from "../../../ignition";
import { anyConfig } from "../../unit/ignition/arbitrary";
import { apply, binary, pick } from "../ignition-root";

const { config, directory, dropin, file, link, merge, remoteFile, render, unit, validate } = ignition;

describe("real Ignition", function () {
    this.timeout(120_000);
    let root: string;

    before(() => {
        assert(existsSync(binary), `${binary} is missing: run "npm run artifacts -- fill --only ignition"`);
        assert.equal(process.getuid?.(), 0, "Ignition sets owners: run this test as root");
    });
    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "tradewind-ignition-"));
    });
    afterEach(() => rmSync(root, { recursive: true, force: true }));

    it("writes files, directories and links as configured, with their modes and owners", async () => {
        const tree = await apply(root, [
            config({
                files: [
                    file("/etc/secret", "s3cret é\n", { mode: 0o600 }),
                    file("/opt/bin/tool", "#!/bin/sh\n".repeat(100), { mode: 0o755, gzip: true, verify: true }),
                    file(
                        "/opt/bytes",
                        Uint8Array.from({ length: 256 }, (_, i) => i),
                        { user: 65534, group: 12 },
                    ),
                    file("/opt/special", ` ?#[]{}%"'&+;,=`),
                    file("/opt/empty", ""),
                ],
                directories: [directory("/var/lib/etcd", { mode: 0o700, user: 500 })],
                links: [
                    link("/etc/localtime", "../usr/share/zoneinfo/UTC"),
                    link("/opt/hard", "/opt/empty", { hard: true }),
                ],
            }),
        ]);
        assert.deepEqual(pick(tree, "/opt/empty", "/opt/hard", "/etc/localtime", "/var/lib/etcd", "/etc/secret"), {
            "/etc/secret": "file 0600 0:0 s3cret é\n",
            "/var/lib/etcd": "directory 0700 500:0",
            "/etc/localtime": "link ../usr/share/zoneinfo/UTC",
            "/opt/empty": "file 0644 0:0 ",
            "/opt/hard": "file 0644 0:0 ",
        });
        assert.equal(tree["/opt/bin/tool"], `file 0755 0:0 ${"#!/bin/sh\n".repeat(100)}`);
        assert.equal(tree["/opt/special"], `file 0644 0:0  ?#[]{}%"'&+;,=`);
        assert.match(tree["/opt/bytes"]!, /^file 0644 65534:12 /);
        const bytes = readFileSync(join(root, "opt/bytes"));
        assert.deepEqual(
            [...bytes],
            Array.from({ length: 256 }, (_, i) => i),
        );
    });

    it("writes units and drop-ins, masks and presets", async () => {
        const tree = await apply(root, [
            config({
                units: [
                    unit("a.service", { enabled: true, contents: "[Unit]\n[Install]\nWantedBy=x.target\n" }),
                    unit("b.service", { dropins: [dropin("10-b.conf", "[Service]\nNice=1\n")] }),
                    unit("c.service", { mask: true, contents: "[Unit]\n" }),
                ],
            }),
        ]);
        const folder = "/etc/systemd/system";
        assert.equal(tree[`${folder}/a.service`], "file 0644 0:0 [Unit]\n[Install]\nWantedBy=x.target\n");
        assert.equal(tree[`${folder}/b.service.d/10-b.conf`], "file 0644 0:0 [Service]\nNice=1\n");
        assert.equal(tree[`${folder}/c.service`], "link /dev/null");
        assert.equal(tree["/etc/systemd/system-preset/20-ignition.preset"], "file 0644 0:0 enable a.service\n");
    });

    it("fetches a remote file, and rejects one with another hash", async () => {
        const server = createServer((_, response) => response.end("hello\n"));
        await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
        try {
            const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
            const sha256 = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
            const tree = await apply(root, [config({ files: [remoteFile("/x", url, { sha256, mode: 0o755 })] })]);
            assert.equal(tree["/x"], "file 0755 0:0 hello\n");
            const other = config({ files: [remoteFile("/y", url, { sha256: "0".repeat(64) })] });
            await assert.rejects(apply(root, [other]), /hash verification failed/);
        } finally {
            server.close();
        }
    });

    it("produces the result of our merge when it merges the same configs itself", async () => {
        const pairs = fc.tuple(anyConfig, anyConfig).map((pair) => pair.map(withoutUsers));
        const valid = pairs.filter(([base, snippet]) => validate(merge(base!, snippet!)).length === 0);
        for (const [base, snippet] of fc.sample(valid, { numRuns: 20, seed: 1 })) {
            const ours = await apply(join(root, "ours"), [merge(base!, snippet!)]);
            const theirs = await apply(join(root, "theirs"), [base!, snippet!]);
            assert.deepEqual(ours, theirs, `${render(base!)} and ${render(snippet!)}`);
            rmSync(join(root, "ours"), { recursive: true });
            rmSync(join(root, "theirs"), { recursive: true });
        }
    });

    it("accepts whatever our validation accepts", async () => {
        for (const [index, value] of fc.sample(anyConfig, { numRuns: 20, seed: 2 }).entries()) {
            const tree = await apply(join(root, String(index)), [withoutUsers(value)]);
            for (const { path } of value.storage?.files ?? []) {
                assert.match(tree[path]!, /^file /);
            }
        }
    });
});

/** Users are created by the machine's own `useradd`, which a bare root lacks. */
function withoutUsers({ passwd, ...rest }: ignition.Config): ignition.Config {
    return rest;
}
