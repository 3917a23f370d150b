import assert from "node:assert/strict";
import { itLong } from "../../takes-long";
import { eventually } from "../cluster";
import { countObjects } from "../count-objects";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const set = (path: string, value: string) =>
    shared.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
const remove = (path: string) => shared.pulumi("config", "rm", "--path", `tradewind:${path}`);
const options = ["components.etcd", "keys.etcdCa", "upgradeOverrides"];
const counted = (what: string, act: () => Promise<unknown>) => countObjects(shared, what, act);
const up = () => shared.pulumi("up", "--yes", "--skip-preview");
const commandLine = () => shared.exec(controller, "tr '\\0' ' ' </proc/$(pgrep -x etcd)/cmdline");
const pod = () => shared.get("-n", "kube-system", "pod", `etcd-${controller}`);

describe("the only etcd member of a running cluster", function () {
    this.timeout(1_200_000);

    before(() => sharedCluster());

    /** Independent of each other: of its options, and of the kubelet's back-off for a member that exited. */
    beforeEach(async () => {
        for (const option of options) await remove(option).catch(() => {});
        await shared.exec(controller, "systemctl restart kubelet");
        await up();
    });

    itLong("gets another flag in an up, but not one that it does not run with", async () => {
        await set("components.etcd.heartbeat-interval", "120");
        assert.match(
            (await shared.pulumi("preview")).stdout,
            /etcd of test-controller-0: --heartbeat-interval=120 is added/,
        );
        await counted("another flag", up);
        assert.match(await commandLine(), / --heartbeat-interval=120( |$)/);
        await shared.pulumi("preview", "--expect-no-changes");

        await set("components.etcd.nonsense", "1");
        await assert.rejects(up(), /components\.etcd\.nonsense must be a flag of etcd 3\.6 \(got nonsense\)/);
        await set("upgradeOverrides[0]", "flags");
        const before = await shared.exec(controller, "pgrep -x etcd");
        await assert.rejects(up(), /etcd 3\.\S+ rejects its flags: .*nonsense/);
        assert.equal(await shared.exec(controller, "pgrep -x etcd"), before, "nothing was stopped for it");
        await remove("components.etcd.nonsense");
        await remove("upgradeOverrides");

        await set("components.etcd.auto-compaction-mode", "sometimes");
        await counted("a flag that makes it exit", () => assert.rejects(up(), /it serves as before/));
        assert.doesNotMatch(await commandLine(), /sometimes/);
        await remove("components.etcd");
        await counted("the flags it had", up);
        await shared.pulumi("preview", "--expect-no-changes");
    });

    itLong("trusts another CA after one up, and only that one after three", async () => {
        for (const list of [[1, 2], [2, 1], [2]]) {
            await remove("keys.etcdCa").catch(() => {});
            for (const [index, generation] of list.entries()) await set(`keys.etcdCa[${index}]`, String(generation));
            const before = await shared.exec(controller, "pgrep -x etcd");
            await counted(`CAs ${JSON.stringify(list)}`, up);
            assert.notEqual(await shared.exec(controller, "pgrep -x etcd"), before);
            const { metadata } = await eventually("the pod", pod);
            assert.match(metadata.annotations?.["tradewind.dev/keys"] ?? "", new RegExp(list.join(",")));
        }
        await shared.pulumi("preview", "--expect-no-changes");
    });
});
