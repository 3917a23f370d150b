import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { versionAnnotation } from "../../../agents/nodes/node-agent/plan";
import { ensure } from "../../../artifacts";
import { firstRuntime, otherRuntime, runtimeFiles } from "../../../artifacts/items";
import { cacheDir } from "../../../cache";
import { isReady } from "../../../clients/kubernetes/objects";
import { paths } from "../../../cluster/paths";
import * as machines from "../../../machines";
import { CONTAINERD_VERSIONS, type ContainerdVersion, versions } from "../../../versions";
import { images } from "../../../versions/images";
import { eventually, finished, type KubernetesObject, TestCluster } from "../cluster";
import { serveMetadata as serveMetadataAt } from "../intruder/metadata";
import { olderVersion } from "../life";
import type { NodeObject } from "../node-sight";
import { ask, makeAsker } from "../pod-asks";
import { longestDelay } from "./bare-machine";
import type { LikeSystem } from "./systems";

const [newerRuntime, olderRuntime] = CONTAINERD_VERSIONS;
const url = "http://169.254.169.254/";

/**
 * Tests of a controller and a worker that imitate an operating system, with the real programs on them.
 *
 * @param settings - keys of the new stack
 */
export function likeCluster(like: machines.OsLike, of: LikeSystem, os: machines.MachineOs, settings: object = {}) {
    return function (this: Mocha.Suite): void {
        this.timeout(420_000);
        const name = like.replace("fedora-", "");
        const cluster = new TestCluster(name);
        const [controller, worker] = [`${name}-controller-0`, `${name}-default-0`];
        const nodes = [controller, worker];

        before(() => {
            mkdirSync(cluster.stateDir, { recursive: true });
            const config = Object.entries(settings).map(([key, value]) => [`tradewind:${key}`, value]);
            writeFileSync(
                join(cluster.stateDir, `Pulumi.${name}.yaml`),
                stringify({ config: Object.fromEntries(config) }),
            );
            const counts = ["--controllers", "1", "--workers", "1"];
            return finished(cluster.spawnStart(...counts, "--os", os, "--os-like", like, "--yes"));
        });
        after(() => cluster.destroy());

        const resolves = async () => {
            await makeAsker(cluster, worker);
            const names = ["kubernetes.default.svc.cluster.local", `${controller}.${name}.tradewind.internal`];
            const program = `Promise.all(${JSON.stringify(names)}.map((n)=>require("dns").promises.resolve4(n))).then((a)=>console.log(a.flat().length))`;
            const answer = () => cluster.kubectl("exec", "asker", "--", "node", "-e", program);
            assert.equal((await eventually("both names in a pod", answer, 30)).trim(), "2");
        };

        const isGuarded = async (node: string) => {
            const kept = await cluster.exec(node, "ip rule; ip route");
            assert.match(kept, /^100:\s+from 10\.2\.0\.0\/16 to 169\.254\.169\.254 prohibit$/m, node);
            assert.match(kept, /^unreachable 10\.2\.0\.0\/16 /m, node);
            assert.match(kept, /^10\.3\.0\.0\/16 dev services /m, node);
            assert.match(kept, /^10\.2\.\d\.0\/24 .*dev flannel\.1/m, node);
        };

        const delaysShutdowns = async (node: string) => {
            const inhibitors = await cluster.exec(node, "systemd-inhibit --list --no-legend");
            assert.match(inhibitors, /^kubelet .* shutdown .* delay$/m);
            assert.equal((await cluster.exec(node, longestDelay)).trim(), `t ${50_000_000}`);
        };

        it("has DNS, as no pod uses the node's own stub", async () => {
            await resolves();
            const files = "/var/lib/containerd/io.containerd.grpc.v1.cri/sandboxes/*/resolv.conf";
            for (const node of nodes) {
                const found = await cluster.exec(node, `cat ${files}`);
                assert.match(found, /^nameserver \d/m);
                assert.doesNotMatch(found, /^nameserver 127\./m);
            }
            const { items } = await cluster.get<{
                items: { status: { containerStatuses: { restartCount: number }[] } }[];
            }>("pods", "-n", "kube-system", "-l", "k8s-app=kube-dns");
            assert.deepEqual(
                items.flatMap(({ status }) => status.containerStatuses.map(({ restartCount }) => restartCount)),
                [0, 0],
            );
        });

        if (of.isReadOnly) {
            it("runs from what the image may write to", async () => {
                for (const node of nodes) {
                    assert.match(await cluster.exec(node, "findmnt --noheadings --output OPTIONS /usr"), /^ro/);
                    const units = await cluster.exec(node, "systemctl list-units --failed --no-legend --plain");
                    assert.equal(units.trim(), "", node);
                    const refused = "journalctl --boot --no-pager --quiet --grep 'Read-only file system' || true";
                    assert.equal((await cluster.exec(node, refused)).trim(), "", node);
                    assert.match(
                        await cluster.exec(node, "cat /proc/$(pidof -s kubelet)/cmdline"),
                        /^\/opt\/tradewind/,
                    );
                }
            });
        }

        /** Lets the controller answer the worker at the address of the metadata service. */
        const serveMetadata = async () => {
            const path = 'jsonpath={.status.addresses[?(@.type=="InternalIP")].address}';
            const address = (await cluster.kubectl("get", "node", controller, "-o", path)).trim();
            const serve = "systemd-run --quiet --unit=metadata busybox httpd -f -p 80 -h /run/metadata";
            await cluster.exec(
                controller,
                `mkdir -p /run/metadata; echo secret >/run/metadata/index.html; systemctl is-active --quiet metadata || ${serve}`,
            );
            await serveMetadataAt(cluster, { worker, controller, address });
            const answer = () => cluster.exec(worker, `curl -fsS -m 2 ${url}`);
            await eventually("an answer to the worker itself", answer, 20);
        };

        it("keeps its routes and the block of the metadata service while its network program restarts", async () => {
            for (const node of nodes) await isGuarded(node);
            await serveMetadata();
            const program = `let answers=0,asked=0,end=Date.now()+20e3;(async()=>{while(Date.now()<end){asked++;await fetch("${url}",{signal:AbortSignal.timeout(300)}).then(()=>answers++,()=>{})}console.log(answers,asked>10)})()`;
            const asking = cluster.kubectl("exec", "asker", "--", "node", "-e", program);
            for (const node of [worker, controller, worker]) {
                await cluster.exec(node, of.restartNetwork);
                await isGuarded(node);
            }
            assert.equal((await asking).trim(), "0 true");
            await resolves();
            // The rule alone blocks it.
            await serveMetadata();
            await cluster.exec(worker, "ip rule del priority 100");
            assert.equal(await ask(cluster, url), "200");
            await cluster.exec(worker, `${paths.bin}/node-routes`);
            assert.notEqual(await ask(cluster, url), "200");
        });

        it("lets its kubelets delay a shutdown, even after logind restarts", async () => {
            for (const node of nodes) {
                await delaysShutdowns(node);
                await cluster.exec(node, "systemctl restart systemd-logind");
                await delaysShutdowns(node);
            }
        });

        it("reboots a worker after a pod has terminated gracefully, and then restores all of it", async () => {
            const seconds = 8;
            const program = `process.on("SIGTERM",()=>setTimeout(()=>{require("fs").writeFileSync("/host/ended",String(Date.now()/1000));process.exit()},${seconds}e3));setInterval(()=>{},1e3)`;
            const volumeMounts = [{ name: "host", mountPath: "/host" }];
            const hostPath = { path: "/var/lib/slow", type: "DirectoryOrCreate" };
            await cluster.kubectl("label", "namespace", "default", "pod-security.kubernetes.io/enforce=privileged");
            await cluster.apply({
                apiVersion: "v1",
                kind: "Pod",
                metadata: { name: "slow" },
                spec: {
                    nodeName: worker,
                    terminationGracePeriodSeconds: 30,
                    containers: [{ name: "slow", image: images.node, command: ["node", "-e", program], volumeMounts }],
                    volumes: [{ name: "host", hostPath }],
                },
            });
            await cluster.kubectl("wait", "--for=condition=Ready", "pod/slow", "--timeout=60s");
            const began = Date.now() / 1000;
            await machines.reboot(name, worker);
            const ended = Number(await cluster.exec(worker, "cat /var/lib/slow/ended"));
            assert.ok(ended - began >= seconds, `ended ${ended - began} s after the reboot request`);
            const journal = "journalctl --unit=kubelet --output=short-unix --no-pager";
            const stopping = Number.parseFloat(await cluster.exec(worker, `${journal} | grep Stopping | tail -1`));
            assert.ok(stopping > ended, `the machine stopped its services at ${stopping}, before ${ended}`);
            await cluster.kubectl("wait", "--for=condition=Ready", `node/${worker}`, "--timeout=90s");
            await cluster.kubectl("delete", "pod", "asker", "slow", "--wait=true", "--grace-period=0", "--force");
            await eventually("routes of pods after a boot", () => isGuarded(worker));
            await delaysShutdowns(worker);
            await resolves();
            await serveMetadata();
            assert.notEqual(await ask(cluster, url), "200");
        });

        const boot = () => cluster.exec(worker, "cat /var/lib/tradewind/node-agent/boot");
        /** Requests a reboot as the OS does, and waits for it. */
        const rebootsInTurn = async () => {
            const before = await boot();
            await cluster.exec(worker, `mkdir -p ${of.flag.replace(/\/[^/]+$/, "")} && touch ${of.flag}`);
            await eventually("the reboot", async () => assert.notEqual(await boot(), before), 180);
            if (of.applied !== undefined) await cluster.exec(worker, `test -e ${of.applied}`);
        };
        /** Waits until the worker is Ready and schedulable with these versions. */
        const runs = (expected: Partial<NodeObject["status"]["nodeInfo"]>) => {
            const start = performance.now();
            const check = async () => {
                const { spec, status } = await cluster.get<NodeObject>("node", worker);
                assert.deepEqual({ ...status.nodeInfo, ...expected }, status.nodeInfo);
                assert.deepEqual([isReady(status), spec.unschedulable ?? false], [true, false]);
                console.log(
                    `        ${Object.values(expected)} after ${((performance.now() - start) / 1000).toFixed(0)} s`,
                );
            };
            return eventually(`${Object.values(expected)}`, check, 240);
        };
        /** A new pod has DNS, and what protects the node is in force. */
        const works = async () => {
            await cluster.kubectl("delete", "pod", "asker", "--ignore-not-found", "--grace-period=0", "--force");
            await eventually("routes of pods", () => isGuarded(worker));
            await delaysShutdowns(worker);
            await resolves();
        };
        /** Puts another containerd below the read-only /usr, of which the next boot is the first to start it. */
        const updateOs = async (version: ContainerdVersion) => {
            const folder = mkdtempSync(join(tmpdir(), "tradewind-os-"));
            try {
                const archive = join(cacheDir(), "files", runtimeFiles(version).containerd);
                execFileSync("tar", ["-xzf", archive, "-C", folder]);
                await machines.docker(["cp", `${folder}/bin/.`, `${machines.containerName(name, worker)}:/usr/bin`]);
            } finally {
                rmSync(folder, { recursive: true });
            }
        };

        if (of.rebooter !== undefined) {
            it("takes other settings of its kubelets, and reboots in its turn when the OS requests it", async () => {
                const set = (key: string, value: string) =>
                    cluster.pulumi("config", "set", "--path", `tradewind:${key}`, value, "--plaintext");
                await set("osReboots.windows[0]", "00:00-24:00");
                await set("components.kubelet.v", "3");
                await set("otherKubelets[0]", olderVersion);
                await cluster.pulumi("up", "--yes", "--skip-preview");
                const flags = await cluster.exec(worker, "tr '\\0' '\\n' </proc/$(pidof -s kubelet)/cmdline");
                assert.match(flags, /^--v=3$/m);
                await rebootsInTurn();
                const { items } = await cluster.get<{ items: ({ reason: string } & KubernetesObject)[] }>("events");
                const reasons = items.map(({ reason }) => reason).filter((reason) => reason.startsWith("OsReboot"));
                assert.deepEqual([...new Set(reasons)].sort().slice(0, 2), ["OsRebootRequested", "OsRebooting"].sort());
                await cluster.kubectl("wait", "--for=condition=Ready", `node/${worker}`, "--timeout=90s");
                await eventually("routes of pods after a boot", () => isGuarded(worker));
            });

            it("gets an older kubelet, and the newer one again", async () => {
                for (const [change, version] of [
                    [`=${olderVersion}`, olderVersion],
                    ["-", versions.kubernetes],
                ] as const) {
                    await cluster.kubectl("annotate", "--overwrite", "node", worker, `${versionAnnotation}${change}`);
                    await runs({ kubeletVersion: `v${version}` });
                    const program = await cluster.exec(worker, "readlink -f /proc/$(pidof -s kubelet)/exe");
                    assert.match(program, /^(\/var)?\/opt\/tradewind\//);
                    await works();
                }
            });

            it("comes back with the containerd that an update of its OS brings, older or newer", async () => {
                await ensure({ only: [firstRuntime, otherRuntime], say: () => {} });
                for (const version of [olderRuntime, newerRuntime]) {
                    await updateOs(version);
                    // Not in its turn: a node that has just had one gets no other for a while.
                    await machines.reboot(name, worker);
                    await runs({ containerRuntimeVersion: `containerd://${version}` });
                    await works();
                }
            });
        }
    };
}
