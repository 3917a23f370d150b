import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { ensure } from "../../../artifacts";
import { firstRuntime, otherRuntime } from "../../../artifacts/items";
import { isReady } from "../../../clients/kubernetes/objects";
import { ensureEngine, reboot } from "../../../machines";
import { CONTAINERD_VERSIONS, type ContainerdVersion } from "../../../versions";
import { images } from "../../../versions/images";
import { describeLong } from "../../takes-long";
import { eventually, type KubernetesObject } from "../cluster";
import { describeTallies, Prober } from "../prober";
import { likeKubernetes, loadBalancerTargets } from "../rollout";
import { SimulatedCluster } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";

const [newer, older] = CONTAINERD_VERSIONS;
const name = "runtimes";
const controller = `${name}-controller-0`;
const workers = [`${name}-default-0`];
const nodes = [controller, ...workers];
const here = "/opt/tradewind/container-runtime";

/** Reports a version, and runs nothing. */
const brokenRunc = `#!/bin/sh
case $1 in --version) echo "runc version 9.9.9" ;; *) echo "this runc is broken" >&2; exit 1 ;; esac
`;

interface Node extends KubernetesObject {
    readonly spec: { readonly unschedulable?: boolean };
    readonly status: {
        readonly nodeInfo: { readonly containerRuntimeVersion: string };
        readonly conditions?: { type: string; status: string }[];
    };
}

interface Pod extends KubernetesObject {
    readonly metadata: KubernetesObject["metadata"] & { readonly ownerReferences?: { readonly kind: string }[] };
    readonly status: {
        readonly phase: string;
        readonly containerStatuses?: { readonly containerID?: string; readonly restartCount: number }[];
    };
}

describeLong("the container runtime of existing machines", function () {
    this.timeout(1_200_000);
    const cluster = new SimulatedCluster(name, simulatedDigitalOcean);
    const node = (of: string) => cluster.get<Node>("node", of);
    const set = (path: string, value: string) =>
        cluster.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");

    /** Containers that no drain removes, and that should not restart here. */
    const stay = async () => {
        const { items } = await cluster.get<{ items: Pod[] }>("pods", "-A");
        return items
            .filter(({ metadata }) => metadata.labels?.["k8s-app"] !== "node-agent")
            .filter(({ metadata }) => ["DaemonSet", "Node"].includes(metadata.ownerReferences?.[0]?.kind ?? ""))
            .flatMap(({ metadata, status }) =>
                (status.containerStatuses ?? []).map(
                    ({ containerID, restartCount }) => `${metadata.name} ${containerID} ${restartCount}`,
                ),
            )
            .sort();
    };
    const has = async (of: string, version: ContainerdVersion) => {
        assert.equal((await node(of)).status.nodeInfo.containerRuntimeVersion, `containerd://${version}`, of);
        const runs = await cluster.exec(of, `readlink /proc/$(pidof containerd)/exe; readlink ${here}/current`);
        assert.match(runs, new RegExp(`^${here}/(\\S+)/containerd\\n\\1\\n$`), of);
        assert.match(await cluster.exec(of, "containerd --version"), new RegExp(` v?${version}\\b`));
        assert.equal(await cluster.exec(of, `ls ${here}/trial ${here}/request 2>/dev/null || true`), "", of);
    };
    const startsPods = async (of: string) => {
        const pod = `new-on-${of}`;
        const spec = {
            nodeName: of,
            tolerations: [{ operator: "Exists" }],
            terminationGracePeriodSeconds: 0,
            containers: [{ name: "sleep", image: images.node, command: ["sleep", "3600"] }],
        };
        await cluster.apply({ apiVersion: "v1", kind: "Pod", metadata: { name: pod, namespace: "default" }, spec });
        await eventually(
            `a new pod on ${of}`,
            async () => assert.equal((await cluster.get<Pod>("pod", pod)).status.phase, "Running"),
            180,
        );
        await cluster.kubectl("delete", "pod", pod);
    };
    const areSchedulable = () =>
        eventually("all nodes to be schedulable", async () => {
            const { items } = await cluster.get<{ items: Node[] }>("nodes");
            assert.deepEqual(
                items.map(({ spec }) => spec.unschedulable ?? false),
                nodes.map(() => false),
            );
        });
    /** What clients observe during a change, and how long it takes. */
    const up = async (what: string, change: () => Promise<unknown>) => {
        const prober = new Prober(await loadBalancerTargets(cluster), 900);
        const start = performance.now();
        try {
            await change();
        } finally {
            const seconds = ((performance.now() - start) / 1000).toFixed(0);
            const tallies = await prober.stop();
            console.log(`      ${what}: ${seconds} s; ${describeTallies(tallies)}`);
            assert.deepEqual(
                likeKubernetes(tallies).flatMap(({ failures }) => failures),
                [],
            );
        }
    };

    before(async () => {
        await ensureEngine();
        const stock = { region: "fra1", image: "ubuntu-26-04-x64" };
        await cluster.prepare(() => ({ os: "cloud-init", workerPools: [{ name: "default" }], ...stock }));
        await ensure({ only: [firstRuntime, otherRuntime], say: () => {} });
        await cluster.fetchRuntime(older);
        await cluster.up();
        await cluster.ready(workers);
    });
    after(() => cluster.destroy());

    it("is upgraded to the next minor version by an up, one node at a time, without disturbing undrained pods", async () => {
        const before = await stay();
        for (const of of nodes) await has(of, older);
        await cluster.fetchRuntime(newer);
        await up(`${older} becomes ${newer} on ${nodes.length} nodes`, () => cluster.up());
        for (const of of nodes) {
            await has(of, newer);
            await startsPods(of);
        }
        assert.deepEqual(await stay(), before, "no container restarted");
        await areSchedulable();
        await cluster.up("--expect-no-changes");
    });

    it("reverts after a boot if the new one is not known to work, and the agent installs it again", async () => {
        const worker = workers.at(-1)!;
        const current = () => cluster.exec(worker, `readlink ${here}/current`);
        const other = await current();
        const former = await cluster.exec(worker, `ls ${here} | grep -- - | grep -v ${other.trim()}`);
        await cluster.exec(worker, `echo ${former.trim()} >${here}/trial`);
        await reboot(name, worker);
        await eventually("the previous one to be back", async () => assert.equal(await current(), former));
        await eventually(
            "the other to be back",
            async () => {
                await has(worker, newer);
                assert.ok(isReady((await node(worker)).status));
                assert.ok(!(await node(worker)).spec.unschedulable);
            },
            240,
        );
        await startsPods(worker);
    });

    it("is reverted if it starts no container, and the node stays cordoned with an event", async () => {
        const before = await stay();
        await cluster.exec(
            controller,
            `mkdir -p /srv/broken; cat >/srv/broken/runc <<'end'\n${brokenRunc}end\n` +
                "systemd-run --unit broken-runc python3 -m http.server 8099 --bind 127.0.0.1 --directory /srv/broken",
        );
        const runc = "downloads.containerRuntime.runc";
        await set(`${runc}.urls[0]`, "http://127.0.0.1:8099/runc");
        await set(`${runc}.sha256`, createHash("sha256").update(brokenRunc).digest("hex"));
        await set("rolloutTimeout", "3m");
        await up("a runc that starts nothing", () =>
            assert.rejects(cluster.up(), /it starts no container: .*runc did not terminate successfully.* runs again/s),
        );
        assert.equal((await node(controller)).spec.unschedulable, true);
        const events = await cluster.kubectl(
            "get",
            "events",
            "-A",
            "--field-selector",
            `involvedObject.name=${controller}`,
        );
        for (const reason of ["ContainerRuntimeReverting", "ContainerRuntimeFailed"])
            assert.match(events, RegExp(reason));
        for (const of of nodes) await has(of, newer);
        await startsPods(controller);
        assert.deepEqual(await stay(), before, "no container restarted");
        await cluster.pulumi("config", "rm", "tradewind:rolloutTimeout");
    });

    it("is downgraded by a minor version on request", async () => {
        await cluster.fetchRuntime(older);
        const before = await stay();
        await up(`${newer} becomes ${older} on ${nodes.length} nodes`, () => cluster.up());
        for (const of of nodes) {
            await has(of, older);
            await startsPods(of);
        }
        assert.deepEqual(await stay(), before, "no container restarted");
        await areSchedulable();
    });
});
