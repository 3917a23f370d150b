import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheDir } from "../../../cache";
import { isReady } from "../../../clients/kubernetes/objects";
import { reboot } from "../../../machines";
import { versions } from "../../../versions";
import { itLong } from "../../takes-long";
import { brokenInPlace, plugin } from "../../unit/agents/nodes/node-agent/plugin-archive";
import { eventually, type KubernetesObject } from "../cluster";
import { describeTallies, Prober } from "../prober";
import { controllerTargets, likeKubernetes } from "../rollout";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const nodes = [controller, ...[0, 1].map((index) => `${shared.name}-default-${index}`)];
const worker = nodes.at(-1)!;
const marker = "tradewind-test";
const changed = "loopback";

/** The plugins pinned in this repository, one of them a byte longer, and some more, in one archive. */
function archive(folder: string, name: string, more: Readonly<Record<string, string>>) {
    const pinned = `cni-plugins/v${versions.cniPlugins}/cni-plugins-linux-amd64-v${versions.cniPlugins}.tgz`;
    const programs = mkdtempSync(join(folder, "programs-"));
    execFileSync("tar", ["-xzf", join(cacheDir(), "files", pinned), "-C", programs]);
    appendFileSync(join(programs, changed), "\n");
    for (const [file, text] of Object.entries(more)) {
        rmSync(join(programs, file), { force: true });
        writeFileSync(join(programs, file), text, { mode: 0o755 });
    }
    execFileSync("tar", ["-czf", join(folder, name), "-C", programs, "."]);
    const bytes = readFileSync(join(folder, name));
    return { name, bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}

const up = () => shared.pulumi("up", "--yes", "--skip-preview");
const set = (path: string, value: string) =>
    shared.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
const has = (node: string) => shared.exec(node, `cat /opt/cni/plugins.env; ls /opt/cni/bin`);

interface Node extends KubernetesObject {
    readonly spec: { readonly unschedulable?: boolean };
    readonly status: { readonly conditions?: { type: string; status: string }[] };
}

interface Pod extends KubernetesObject {
    readonly status: { readonly containerStatuses?: { readonly containerID?: string }[] };
}

/** Containers that have no reason to restart here. */
async function others(): Promise<string[]> {
    const { items } = await shared.get<{ items: Pod[] }>("pods", "-A");
    return items
        .filter(({ metadata }) => metadata.labels?.["k8s-app"] !== "node-agent")
        .flatMap(({ metadata, status }) =>
            (status.containerStatuses ?? []).map(({ containerID }) => `${metadata.name} ${containerID}`),
        )
        .sort();
}

/** A new pod gets an address from the network, with the current plugins. */
async function startsPods(node: string): Promise<void> {
    const name = `new-on-${node}`;
    const image = (
        await shared.get<{ items: { spec: { containers: { image: string }[] } }[] }>(
            ...["-n", "kube-system", "pods", "-l", "k8s-app=node-agent"],
        )
    ).items[0]!.spec.containers[0]!.image;
    await shared.apply({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name, namespace: "default" },
        spec: {
            nodeName: node,
            tolerations: [{ operator: "Exists" }],
            terminationGracePeriodSeconds: 0,
            containers: [{ name: "sleep", image, command: ["sleep", "3600"] }],
        },
    });
    await eventually(
        `a new pod on ${node}`,
        async () => {
            const { status } = await shared.get<{ status: { podIP?: string; phase: string } } & KubernetesObject>(
                "pod",
                name,
            );
            assert.equal(status.phase, "Running");
            assert.match(status.podIP ?? "", /^10\.2\./);
        },
        180,
    );
    await shared.kubectl("delete", "pod", name);
}

describe("CNI plugins", function () {
    this.timeout(1_800_000);
    let folder: string;
    let server: Server;

    before(async () => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-cni-plugins-"));
        await sharedCluster();
    });
    after(() => {
        server?.close();
        rmSync(folder, { recursive: true });
    });

    itLong(
        "are installed on existing nodes by an up, reverted if they do not respond, and survive a reboot",
        async () => {
            const good = archive(folder, "good.tgz", { [marker]: plugin(marker) });
            const broken = archive(folder, "broken.tgz", { bridge: brokenInPlace });
            const served = new Map([good, broken].map(({ name, bytes }) => [`/${name}`, bytes]));
            server = createServer(({ url = "" }, answer) =>
                answer.writeHead(served.has(url) ? 200 : 404).end(served.get(url)),
            ).listen(0, "0.0.0.0");
            await once(server, "listening");
            // The host's address, as seen by the machines.
            const host = (await shared.exec(controller, "ip -4 route show default")).split(" ")[2]!;
            const choose = async ({ name, sha256 }: { name: string; sha256: string }) => {
                const { port } = server.address() as AddressInfo;
                await set("downloads.cniPlugins.urls[0]", `http://${host}:${port}/${name}`);
                await set("downloads.cniPlugins.sha256", sha256);
            };
            const before = await others();
            const prober = new Prober(await controllerTargets(shared, controller), 1_700);

            await choose(good);
            try {
                const start = performance.now();
                await up();
                console.log(`      ${nodes.length} nodes in ${((performance.now() - start) / 1000).toFixed(0)} s`);
                for (const node of nodes) {
                    const found = await has(node);
                    assert.match(found, new RegExp(`^CNI_PLUGINS_SHA256=${good.sha256}$`, "m"), node);
                    assert.match(found, new RegExp(`^${marker}$`, "m"), node);
                    assert.match(found, /^flannel$/m, node);
                    await startsPods(node);
                }
                await shared.pulumi("preview", "--expect-no-changes");
                assert.deepEqual(await others(), before, "no container restarted");

                const digest = `sha256sum /opt/cni/bin/${changed}`;
                const own = await shared.exec(worker, digest);
                await reboot(shared.name, worker);
                await eventually(
                    "the worker to be Ready",
                    async () => {
                        assert.ok(isReady((await shared.get<Node>("node", worker)).status));
                    },
                    180,
                );
                await startsPods(worker);
                assert.equal(await shared.exec(worker, digest), own, "a reboot restores none of the old ones");

                await choose(broken);
                await set("rolloutTimeout", "60s");
                await assert.rejects(up(), /do not work: bridge does not report its versions: .* are restored/s);
                assert.equal((await shared.get<Node>("node", controller)).spec.unschedulable, true);
                for (const node of nodes) {
                    assert.match(await has(node), new RegExp(`^CNI_PLUGINS_SHA256=${good.sha256}$`, "m"), node);
                }
                await startsPods(controller);
            } finally {
                await shared.pulumi("config", "rm", "tradewind:rolloutTimeout").catch(() => undefined);
                await shared.pulumi("config", "rm", "tradewind:downloads");
                await up();
            }
            for (const node of nodes) assert.doesNotMatch(await has(node), new RegExp(good.sha256), node);
            await eventually("all nodes to be schedulable", async () => {
                const { items } = await shared.get<{ items: Node[] }>("nodes");
                assert.deepEqual(
                    items.map(({ spec }) => spec.unschedulable ?? false),
                    nodes.map(() => false),
                );
            });
            await shared.pulumi("preview", "--expect-no-changes");
            const tallies = await prober.stop();
            console.log(`      ${describeTallies(tallies)}`);
            assert.deepEqual(
                likeKubernetes(tallies).flatMap(({ failures }) => failures),
                [],
            );
        },
    );
});
