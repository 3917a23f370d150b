import assert from "node:assert/strict";
import { planSchema } from "../../../../../agents/boot/bootstrap/plan";
import { restorePlanSchema } from "../../../../../agents/etcd/keeper/restore/plan";
import { planProblems } from "../../../../../agents/harness/plan";
import {
    etcdRestorePath,
    type RecoveryAssetsOptions,
    recoveryAssets,
    restoredSnapshot,
} from "../../../../../cluster/machines/bootstrap/recovery-assets";
import { paths } from "../../../../../cluster/paths";
import { bundle, diffable } from "../../../../../ignition";
import { fakeCredentials, firstController, fixedCluster } from "../../../components/in-cluster/fixture";

const cluster = fixedCluster({ workerPools: [{ name: "a" }] });
const recovery = { id: "20261121T100000", from: "snapshot", isHeld: false, nodes: ["c-controller-0", "c-a-0"] };
const restore = { source: { file: restoredSnapshot }, agent: "keeper text" };

function files(change: Partial<RecoveryAssetsOptions> = {}): Record<string, string> {
    return diffable(
        recoveryAssets(cluster, {
            machine: firstController(cluster),
            secrets: fakeCredentials(cluster),
            agent: "agent text",
            checkpointer: "program",
            nodeApprover: "approver",
            recovery,
            isNew: false,
            lacksMember: false,
            ...change,
        }),
    );
}
const json = (text: string | undefined) => JSON.parse(text!.replace(/^mode.*\n/, ""));
const unit = (texts: Record<string, string>) => texts["/etc/systemd/system/bootstrap.service"] ?? JSON.stringify(texts);

describe("what a controller is recovered with", () => {
    it("has a plan that the agent takes, with the recovery in it", () => {
        const plan = json(files()[`${paths.bootstrap}/bootstrap.json`]);
        assert.deepEqual(planProblems(plan, planSchema), []);
        assert.deepEqual(plan.recovery, recovery);
    });

    it("leaves a machine that joined its kubelet's access and its etcd as they are", () => {
        const texts = Object.keys(files());
        const touched = texts.filter(
            (path) => /kubelet\/pki|kubeconfig$|etcd/.test(path) && !path.includes("bootstrap/"),
        );
        assert.deepEqual(touched, []);
    });

    it("gives a new machine its kubelet's first certificate", () => {
        const texts = files({ isNew: true });
        for (const path of [paths.kubeletClient, paths.kubeconfig, paths.bootstrapKubeconfig]) assert.ok(texts[path]);
    });

    it("gives a member that lost its static pod another, and its certificates", () => {
        const texts = files({ lacksMember: true });
        for (const path of [`${paths.staticPods}/etcd.json`, `${paths.etcdPki}/member.key`]) assert.ok(texts[path]);
    });

    it("restores from a snapshot before anything of the control plane starts", () => {
        const texts = files({ restore, lacksMember: true });
        const plan = json(texts[`${etcdRestorePath}/plan.json`]);
        assert.deepEqual(planProblems(plan, restorePlanSchema), []);
        assert.equal(plan.id, recovery.id);
        assert.deepEqual(plan.source, restore.source);
        assert.equal(plan.staticPod.metadata.name, "etcd");
        assert.match(unit(texts), /ExecStartPre=\/bin\/sh \/opt\/tradewind\/etcd-restore\/restore/);
        assert.doesNotMatch(unit(files()), /etcd-restore/);
    });

    it("leave the static pod of a restored member to the restore, because its data must come first", () => {
        const texts = files({ restore, lacksMember: true });
        assert.equal(texts[`${paths.staticPods}/etcd.json`], undefined);
        assert.ok(texts[`${paths.etcdPki}/member.key`]);
    });

    it("are readable only by root", () => {
        for (const [path, text] of Object.entries(files({ isNew: true, restore }))) {
            if (text.includes("PRIVATE KEY")) assert.match(text, /^mode 0600\n/, path);
        }
    });

    it("is a bundle, for a machine that has booted", () => {
        const options = { machine: firstController(cluster), secrets: fakeCredentials(cluster), recovery, restore };
        const rest = { agent: "a", checkpointer: "c", nodeApprover: "n", isNew: true, lacksMember: true };
        assert.deepEqual(bundle(recoveryAssets(cluster, { ...options, ...rest })).units, [
            "bootstrap.service",
            "kubelet-restart.path",
        ]);
    });
});
