import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiObject } from "../../../clients/kubernetes/objects";
import { versions } from "../../../versions";
import { shared, sharedCluster } from "../shared";

describe("tradewind support-bundle", function () {
    this.timeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-support-test-"));

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });
    after(() => rmSync(folder, { recursive: true }));

    it("contains the data of API and machines, and none of the cluster's secrets", async () => {
        const file = join(folder, "bundle.tar.gz");
        await shared.tradewind("support-bundle", "--output", file);
        assert.equal(statSync(file).mode & 0o777, 0o600);
        execFileSync("tar", ["-xzf", file, "-C", folder]);
        const read = (path: string) => readFileSync(join(folder, "bundle", path), "utf8");

        const missing = () => (existsSync(join(folder, "bundle/missing.txt")) ? read("missing.txt") : "nothing missed");
        const { items } = JSON.parse(read("api/pods.json")) as { items: ApiObject[] };
        // After a rollout, the previous pod may still be shutting down, and end before its logs are read.
        const [apiserver] = items
            .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
            .map(({ metadata }) => metadata.name)
            .filter((name) => name.startsWith("kube-apiserver-"));
        const log = `logs/${apiserver}/kube-apiserver.now.log`;
        assert.ok(existsSync(join(folder, "bundle", log)), `${log} is missing: ${missing()}`);
        assert.ok(read(log).length > 0);
        for (const node of [`${shared.name}-controller-0`, `${shared.name}-default-0`]) {
            assert.match(read(`machines/${node}/journal.log`), /kubelet/);
        }
        assert.match(read(`machines/${shared.name}-controller-0/static-pods.txt`), /etcd/);

        const { items: events } = JSON.parse(read("api/events.json")) as { items: { reason: string }[] };
        assert.ok(events.length > 0);
        const told = JSON.parse(read("versions.json")) as Record<string, string>;
        assert.deepEqual(
            [told.tradewind, told.pulumi, told.node],
            [require("../../../package.json").version, versions.pulumi, process.version],
        );
        assert.match(told.docker!, /^\d+\.\d+\.\d+\S*, client \d/);
        assert.match(told.commit!, /^[0-9a-f]{40}(-dirty)?$/);

        const { items: secrets } = await shared.get<{ items: { data?: Record<string, string> }[] }>("secrets", "-A");
        const all = execFileSync("tar", ["-xzOf", file], { encoding: "utf8", maxBuffer: 256 << 20 });
        const secretKey = /\.key$|^token-secret$|kubeconfig|encryption/;
        const values = secrets.flatMap(({ data = {} }) =>
            Object.entries(data).flatMap(([key, value]) => (secretKey.test(key) ? [value] : [])),
        );
        assert.ok(values.length > 5);
        for (const value of values) {
            const text = Buffer.from(value, "base64").toString("utf8").trim();
            assert.ok(!all.includes(value) && !all.includes(text), "a Secret's content is in the bundle");
        }
    });
});
