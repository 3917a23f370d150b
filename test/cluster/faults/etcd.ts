import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../cluster";
import type { Act, Fault, Scene } from "./fault";
import { signal } from "./processes";

const manifest = "/etc/kubernetes/manifests/etcd.json";
const held = "/etc/kubernetes/etcd.json.held";

/** Moves etcd's static pod away from the kubelet, and resolves once it has exited. */
export async function stopEtcd({ cluster }: Scene, machine: string): Promise<void> {
    await cluster.exec(machine, `[ ! -e ${manifest} ] || mv ${manifest} ${held}`);
    await cluster.exec(machine, "for i in $(seq 120); do pgrep -x etcd >/dev/null || exit 0; sleep 1; done; exit 1");
}

/** Moves it back. */
export async function startEtcd({ cluster }: Scene, machine: string): Promise<void> {
    await cluster.exec(machine, `[ ! -e ${held} ] || mv ${held} ${manifest}`);
}

/** Nodes except the one whose etcd is down: the first controller's kubelet only uses its own apiserver. */
async function othersAreReady({ cluster }: Scene, machine: string, since: Date): Promise<void> {
    interface Lease {
        readonly metadata: { readonly name: string };
        readonly spec: { readonly renewTime: string };
    }
    const { items } = await cluster.get<{ items: Lease[] }>("leases", "-n", "kube-node-lease");
    const recently = Math.max(since.getTime(), Date.now() - 30_000);
    const silent = items.filter(
        ({ metadata, spec }) => metadata.name !== machine && Date.parse(spec.renewTime) < recently,
    );
    assert.deepEqual(
        silent.map(({ metadata }) => metadata.name),
        [],
        "nodes without a status report",
    );
}

const onAll =
    (act: Act): Act =>
    async (scene) => {
        await Promise.all(scene.controllers.map((controller) => act(scene, controller)));
    };

/** Faults of etcd itself; if every member is affected the API is down. */
export const etcdFaults: readonly Fault[] = [
    {
        name: "etcd-killed",
        about: "one member gets SIGKILL",
        target: "controller",
        group: "etcd",
        inject: signal("etcd", "KILL"),
    },
    {
        name: "etcd-hangs",
        about: "one member accepts connections and answers none",
        target: "controller",
        lasts: 45,
        group: "etcd",
        inject: signal("etcd", "STOP"),
        heal: signal("etcd", "CONT"),
    },
    {
        name: "etcd-stopped",
        about: "one member is stopped for minutes: clients of its apiserver must switch to another",
        target: "controller",
        group: "etcd",
        isAlone: true,
        within: 420,
        inject: async (scene, machine) => {
            await stopEtcd(scene, machine);
            const stopped = new Date();
            // Longer than a node stays Ready without a report.
            await sleep(90_000);
            await eventually("the other nodes to report again", () => othersAreReady(scene, machine, stopped), 60);
        },
        heal: startEtcd,
    },
    {
        name: "api-hangs",
        about: "every member hangs, and so does the API",
        target: "cluster",
        lasts: 90,
        group: "etcd",
        inject: onAll(signal("etcd", "STOP")),
        heal: onAll(signal("etcd", "CONT")),
    },
    {
        name: "api-down",
        about: "every member is stopped: no API for minutes",
        target: "cluster",
        lasts: 180,
        group: "etcd",
        within: 420,
        inject: onAll(stopEtcd),
        heal: onAll(startEtcd),
    },
];
