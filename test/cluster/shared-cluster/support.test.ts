import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shared, sharedCluster } from "../shared";

describe("tradewind support-bundle", function () {
    this.timeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-support-test-"));

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });
    after(() => rmSync(folder, { recursive: true }));

    it("has what API and machines tell, and none of the cluster's secrets", async () => {
        const file = join(folder, "bundle.tar.gz");
        await shared.tradewind("support-bundle", "--output", file);
        assert.equal(statSync(file).mode & 0o777, 0o600);
        execFileSync("tar", ["-xzf", file, "-C", folder]);
        const read = (path: string) => readFileSync(join(folder, "bundle", path), "utf8");

        const { items } = JSON.parse(read("api/pods.json")) as { items: { metadata: { name: string } }[] };
        const [apiserver] = items
            .map(({ metadata }) => metadata.name)
            .filter((name) => name.startsWith("kube-apiserver-"));
        assert.ok(read(`logs/${apiserver}/kube-apiserver.now.log`).length > 0);
        for (const node of [`${shared.name}-controller-0`, `${shared.name}-default-0`]) {
            assert.match(read(`machines/${node}/journal.log`), /kubelet/);
        }
        assert.match(read(`machines/${shared.name}-controller-0/static-pods.txt`), /etcd/);

        const { items: secrets } = await shared.get<{ items: { data?: Record<string, string> }[] }>("secrets", "-A");
        const all = execFileSync("tar", ["-xzOf", file], { encoding: "utf8", maxBuffer: 256 << 20 });
        for (const secret of secrets.flatMap(({ data = {} }) => Object.values(data))) {
            const text = Buffer.from(secret, "base64").toString("utf8");
            // Shorter ones are words such as `true`; certificates are shown to everybody.
            if (text.length < 16 || text.includes("BEGIN CERTIFICATE")) continue;
            assert.ok(!all.includes(secret) && !all.includes(text.trim()), "a Secret's content is in the bundle");
        }
    });
});
