import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { program as recover } from "../../../../cli/recover/command";
import { program as snapshot } from "../../../../cli/snapshot/command";
import { FakeSsh } from "../reach/fake-ssh";

describe("commands on a cloud cluster, through its stack", () => {
    let fake: FakeSsh;
    let printed: string;
    const log = console.log;

    beforeEach(() => {
        fake = new FakeSsh();
        const recovery = {
            options: {
                name: "c",
                controllers: { count: 3 },
                etcdSnapshots: { directory: join(fake.root, "snapshots") },
            },
            machines: { "c-controller-0": "10.0.0.11", "c-controller-1": "10.0.0.12", "c-controller-2": "10.0.0.13" },
            credentials: { kubernetesCa: { cert: "CA", key: "key" } },
        };
        const resources = [{ type: "tradewind:index:AwsCluster", outputs: { recovery } }];
        fake.addStack("prod", { deployment: { resources } });
        printed = "";
        console.log = (...texts: unknown[]) => {
            printed += `${texts.join(" ")}\n`;
        };
    });
    afterEach(() => {
        console.log = log;
        fake.remove();
    });

    it("list the snapshots of every controller", async () => {
        const directory = join(fake.root, "snapshots");
        mkdirSync(directory);
        const manifest = { name: "c-1", time: "2026-11-22T00:00:00Z", sha256: "5", size: 4, keys: 2, trigger: "timer" };
        writeFileSync(join(directory, "c-1.json"), JSON.stringify(manifest));
        writeFileSync(join(directory, "c-1.db"), "data");
        assert.equal(await snapshot.run(["--list", "--stack", "prod"]), 0);
        const rows = printed.split("\n").filter((line) => line.startsWith("c-1 "));
        assert.deepEqual(
            rows.map((row) => row.split(/ +/)[1]),
            ["c-controller-0", "c-controller-1", "c-controller-2"],
        );
    });

    it("recover with the data that a controller still has, and nothing else", async () => {
        const begun = recover.run(["--from", "etcd", "--stack", "prod", "--controller", "c-controller-1"]);
        await assert.rejects(begun, /the kubelet of c-controller-1 has no valid certificate/);
        assert.ok(fake.arguments.includes("10.0.0.12"));
        await assert.rejects(
            recover.run(["--from", "etcd", "--stack", "prod"]),
            /etcd on c-controller-0 has no data, which --from etcd requires; use --from snapshot/,
        );
    });

    it("reject a controller that is not in the stack", async () => {
        const begun = recover.run(["--release", "--stack", "prod", "--controller", "c-controller-7"]);
        await assert.rejects(begun, /--controller must be one of c-controller-0, .* \(got c-controller-7\)/);
    });
});
