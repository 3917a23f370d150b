import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { kubeletWithChecksum } from "../../../cluster/downloads";
import { kubeletChecksum } from "../../../cluster/machines/download-checks";
import { upgradeOrder } from "../../../cluster/upgrades/order";
import { readRecord } from "../../../local/record";
import { clusterState } from "../../../local/state";
import { ensureEngine, list } from "../../../machines";
import { versions } from "../../../versions";
import { describeLong } from "../../takes-long";
import { countObjects } from "../count-objects";
import { olderVersion } from "../life";
import { describeTallies, Prober, type Tallies } from "../prober";
import { likeKubernetes, loadBalancerTargets } from "../rollout";
import { simulatedAws } from "../simulated-aws";
import { SimulatedCluster } from "../simulated-cluster";
import { describeSteps, outOfTurn, rolledOut } from "../upgrade-steps";

const cluster = new SimulatedCluster("awsup", simulatedAws);
const newer = versions.kubernetes;
const limitSeconds = 580;
/** Pools in the order in which their kubelets are upgraded. */
const pools = ["controller", "default"];

interface Node {
    readonly metadata: { readonly name: string; readonly uid: string };
    readonly spec: { readonly unschedulable?: boolean };
    readonly status: { readonly nodeInfo: { readonly kubeletVersion: string } };
}

describeLong("an upgrade to the next minor version on a simulated AWS", function () {
    this.timeout(1000 * (limitSeconds + 60));
    let machinesBefore: readonly string[];

    before(async () => {
        await ensureEngine();
        await cluster.prepare(() => ({ zones: ["a", "b"], workerPools: [{ name: "default" }] }), olderVersion);
    });
    after(() => cluster.destroy());

    it("starts with a cluster of the older version", async () => {
        await cluster.up();
        const { machine } = cluster.account.all("instances").find(({ createdBy }) => createdBy === "awsup-default")!;
        await cluster.ready([machine]);
        await everythingIs(olderVersion);
        machinesBefore = await machines();
        assert.equal(machinesBefore.length, 4, "instances and Nodes");
    });

    it("is rejected in preview with the kubelet's old checksum", async () => {
        const before = cluster.kubelet(olderVersion).sha256;
        await cluster.setVersion(newer, before);
        const legal = kubeletChecksum({ version: newer, ...cluster.kubelet(newer) }, "amd64");
        const said = [`downloads.kubelet.sha256 must be ${legal} (got ${before}, that of kubelet ${olderVersion})`];
        // The cluster is not asked about the published kubelet, which the cache has if it could be downloaded.
        if (!kubeletWithChecksum(before)) {
            said.push(`awsup can't go from Kubernetes ${olderVersion} to ${newer}:`, "upgradeOverrides: [checksums]");
        }
        await assert.rejects(cluster.pulumi("preview", "--non-interactive"), ({ message }: Error) => {
            for (const each of said) assert.ok(message.includes(each), `${each}\nis not in\n${message}`);
            return true;
        });
    });

    it("loses no request with the right checksum, following the previewed steps", async () => {
        await cluster.setVersion(newer);
        const { stdout } = await cluster.pulumi("preview", "--non-interactive");
        assert.ok(stdout.includes(`Kubernetes ${olderVersion} becomes ${newer}: ${upgradeOrder}`), stdout);

        const { tallies, rolled } = await probed(async () => {
            const up = await cluster.up();
            assert.match(up.stdout, /snapshot before the upgrade: (?!none)/);
        });
        assert.deepEqual(
            likeKubernetes(tallies).flatMap(({ failures }) => failures),
            [],
        );
        assert.deepEqual(outOfTurn(rolled, pools), []);
        // Other components have the same image in both versions.
        const versioned = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-proxy"];
        const missing = [...versioned, ...pools.map((pool) => `node-agent-${pool}`)].filter(
            (name) => !rolled.includes(name),
        );
        assert.deepEqual(missing, []);
    });

    it("leaves the API and every kubelet at the newer version, on the same machines", async () => {
        await everythingIs(newer);
        assert.deepEqual(await machines(), machinesBefore);
    });

    it("shows no change in a second preview", () =>
        cluster.pulumi("preview", "--non-interactive", "--expect-no-changes"));

    it("is destroyed, leaving nothing in the account", async () => {
        await cluster.destroy();
        assert.deepEqual(cluster.account.left, []);
        assert.deepEqual(await list("awsup"), []);
    });
});

/**
 * Upgrades while clients read and write through the load balancer. Logs their tallies and each step's time, whatever
 * the result.
 */
async function probed(upgrade: () => Promise<void>): Promise<{ tallies: Tallies; rolled: string[] }> {
    const prober = new Prober(await loadBalancerTargets(cluster), limitSeconds);
    let failed: { error: unknown } | undefined;
    try {
        await countObjects(cluster, `from ${olderVersion} to ${newer}`, upgrade);
        // The last generation drains.
        await sleep(15_000);
    } catch (error) {
        failed = { error };
    }
    const tallies = await prober.stop();
    const { last } = readRecord(clusterState(cluster.name).timeline, cluster.name);
    for (const line of [describeTallies(tallies), ...describeSteps(last, tallies)]) console.log(`      ${line}`);
    if (failed) throw failed.error;
    return { tallies, rolled: rolledOut(last).map(({ name }) => name) };
}

/** Instances and Nodes by id. */
async function machines(): Promise<string[]> {
    const instances = Object.entries(cluster.account.resources.instances);
    return [
        ...instances.map(([id, { machine }]) => `${machine} ${id}`),
        ...(await nodes()).map(({ metadata: { name, uid } }) => `${name} ${uid}`),
    ].sort();
}

async function everythingIs(version: string): Promise<void> {
    assert.match(await cluster.kubectl("version"), new RegExp(`Server Version: v${version}`));
    for (const { metadata, spec, status } of await nodes()) {
        assert.equal(status.nodeInfo.kubeletVersion, `v${version}`, metadata.name);
        assert.notEqual(spec.unschedulable, true, `${metadata.name} stays cordoned`);
    }
}

async function nodes(): Promise<Node[]> {
    return (await cluster.get<{ items: Node[] }>("nodes")).items;
}
