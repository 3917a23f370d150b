import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";
import { until } from "../../engine/until";
import { root } from "../cluster";
import { shared, sharedCluster } from "../shared";

describe("the stack that owns a cluster", function () {
    this.timeout(400_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    it("shows no change straight after up", async () => {
        await shared.pulumi("preview", "--expect-no-changes", "--diff");
    });

    it("changes nothing when npm start runs again, and says so", async () => {
        const { stdout, stderr } = await shared.start("--yes");
        assert.match(stdout + stderr, /no changes: the cluster is up to date/);
    });

    it("keeps every secret out of the state and of previews", async () => {
        const { stdout: state } = await shared.pulumi("stack", "export");
        assert.doesNotMatch(state, /BEGIN (EC )?PRIVATE KEY/);
        assert.match(state, /"ciphertext"/);
        const { stdout: outputs } = await shared.pulumi("stack", "output", "--json");
        assert.equal(JSON.parse(outputs).kubeconfig, "[secret]");
    });

    it("prints its manifests, in which kubectl finds no difference from the cluster, and no Secret", async () => {
        const folder = mkdtempSync(join(tmpdir(), "tradewind-manifests-"));
        try {
            for (const option of [[], ["--live"]]) {
                const args = ["manifests", "--name", shared.name, ...option];
                const { stdout, stderr } = await promisify(execFile)(resolve(root, "dev/tradewind.cjs"), args, {
                    maxBuffer: 2 ** 26,
                });
                const kinds = parseAllDocuments(stdout).map((each) => each.toJSON().kind);
                assert.ok(kinds.includes("DaemonSet") && !kinds.includes("Secret"), `${kinds}`);
                if (option.length === 0) assert.match(stderr, /^left out: .*Secret kube-system\/kube-apiserver/m);
                const file = join(folder, "manifests.yaml");
                writeFileSync(file, stdout);
                assert.equal(await shared.kubectl("diff", "-f", file), "");
            }
        } finally {
            rmSync(folder, { recursive: true });
        }
    });

    it("takes over a flag that someone changed, and lists what it cannot", async () => {
        const accept = (...args: string[]) => shared.tradewind("accept", ...args);
        assert.match((await accept()).stdout, /has everything as the stack declares it/);
        const patch = (object: string, value: string) =>
            shared.kubectl("-n", "kube-system", "patch", object, "--type", "strategic", "-p", value);
        const scheduler = await shared.get("-n", "kube-system", "daemonset/kube-scheduler");
        const { template } = (
            scheduler as unknown as { spec: { template: { spec: { containers: { command: string[] }[] } } } }
        ).spec;
        const command = [...template.spec.containers[0]!.command, "--v=3"];
        // Its pods are not replaced.
        const paused = { spec: { updateStrategy: { type: "OnDelete", rollingUpdate: null } } };
        const changed = { spec: { template: { spec: { containers: [{ name: "kube-scheduler", command }] } } } };
        await patch("daemonset/kube-scheduler", JSON.stringify(paused));
        await patch("daemonset/kube-scheduler", JSON.stringify(changed));
        try {
            const refused = await accept().then(
                () => assert.fail("it did not list the strategy"),
                (error: Error) => error.message,
            );
            assert.match(refused, /tradewind:components\.kubeScheduler\.v: 3/);
            assert.match(refused, /DaemonSet kube-system\/kube-scheduler: spec\.updateStrategy\.type/);
        } finally {
            await shared.pulumi("up", "--yes", "--skip-preview", "--refresh");
        }
        assert.match((await accept()).stdout, /has everything as the stack declares it/);
    });

    it("gives people a kubeconfig outside system:masters that may do everything, can be revoked and is restored", async () => {
        const whoAmI = JSON.parse(await shared.kubectl("auth", "whoami", "-o", "json"));
        assert.deepEqual(whoAmI.status.userInfo.groups, ["tradewind:administrators", "system:authenticated"]);
        assert.match(await shared.kubectl("auth", "can-i", "*", "*", "--all-namespaces"), /^yes/m);
        const secrets = () => shared.kubectl("get", "secrets", "--all-namespaces");
        await shared.kubectl("delete", "clusterrolebinding", "tradewind:administrators");
        try {
            const isForbidden = () =>
                secrets().then(
                    () => false,
                    ({ message }: Error) => /Forbidden/.test(message),
                );
            await until("the permissions to end", isForbidden);
        } finally {
            await shared.pulumi("up", "--yes", "--skip-preview", "--refresh");
        }
        await until("the permissions to be back", () =>
            secrets().then(
                () => true,
                () => false,
            ),
        );
        await shared.pulumi("preview", "--expect-no-changes");
    });

    // Every rejected value: test/unit/cluster.
    it("rejects bad input in preview and creates nothing", async () => {
        const refused: [string, string, RegExp][] = [
            ["tradewind:serviceCidr", "10.2.0.0/24", /network\.serviceCidr must not overlap network\.podCidr/],
            ["tradewind:colour", "red", /colour/],
        ];
        const keep = (await shared.pulumi("config", "--json")).stdout;
        for (const [key, value, message] of refused) {
            const before = JSON.parse(keep)[key]?.value;
            await shared.pulumi("config", "set", key, value, "--plaintext");
            try {
                await assert.rejects(shared.pulumi("preview"), { message });
            } finally {
                const restore = before === undefined ? ["rm", key] : ["set", key, String(before), "--plaintext"];
                await shared.pulumi("config", ...restore);
            }
        }
    });
});
